"""What the benches share: rows of figures with their goals, shown as one table or written as JSON.

A bench is a module with ROUNDS and `measure(build, rounds)`, which gives rows. All of its commands run in turn, so that a busy
machine slows all of them; a figure is a ratio of medians unless its row names a unit.
"""
import argparse
import json
import os
import pathlib
import subprocess
from typing import NamedTuple


class Row(NamedTuple):
    what: str
    value: float
    must: float
    aim: float
    note: str = ""
    is_less: bool = False  # whether less is better

    def holds(self):
        return self.value <= self.must if self.is_less else self.value >= self.must


def printed(*command):
    """First line that a command prints up to a bracket, or "" where it is not installed."""
    try:
        text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""
    return text.split("\n", 1)[0].split(" (")[0]


def named(path, separator, name):
    """A value of a file of NAME=VALUE lines."""
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(separator)
        if key.strip() == name:
            return value.strip().strip('"')
    return "?"


def machine(build):
    """Where and with what it was measured."""
    programs = [printed(str(build / "diagnose"), "--version"), "cc " + printed("cc", "-dumpfullversion"), printed("rg", "--version"),
                printed("jq", "--version"), printed("curl", "--version"), printed("h2load", "--version")]
    return [f"{os.cpu_count()} processors ({named('/proc/cpuinfo', ':', 'model name')})",
            named("/etc/os-release", "=", "PRETTY_NAME"), *(text for text in programs if text)]


def lines(rows):
    """The table, in Markdown."""
    yield "| what | measured | must | aim | |"
    yield "|---|---|---|---|---|"
    for row in rows:
        sign = "≤" if row.is_less else "≥"
        told = "; ".join(part for part in ("" if row.holds() else "missed", row.note) if part)
        yield f"| {row.what} | {row.value:.3g} | {sign} {row.must:g} | {row.aim:g} | {told} |"


def write(path, build, rows):
    told = [{**row._asdict(), "holds": row.holds()} for row in rows]
    pathlib.Path(path).write_text(json.dumps({"machine": machine(build), "rows": told}, indent=1, ensure_ascii=False) + "\n",
                                  encoding="utf-8")


def main(bench, about):
    """A bench on its own: `NAME.py --build DIR [--rounds N] [--json FILE]`."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=bench.ROUNDS)
    parser.add_argument("--json", help="file for the figures")
    args = parser.parse_args()
    build = pathlib.Path(args.build).resolve()
    rows = bench.measure(build, args.rounds)
    print("\n".join(lines(rows)))
    if args.json:
        write(args.json, build, rows)
