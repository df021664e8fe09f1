#!/usr/bin/env python3
"""Figures, not tests: all benches in one run, as one table and as JSON.

usage: bench.py --build DIR [--rounds N] [--json FILE] [--write README] [NAME...]

--rounds is the most that each takes, for a quick look. --write puts the table between the marks of a Markdown file. Each NAME is a module of this folder and runs on its own as well.
"""
import argparse
import datetime
import importlib
import pathlib
import re
import sys

sys.dont_write_bytecode = True

import table  # noqa: E402

BENCHES = ["startup", "verify", "keys", "probes", "history", "scans"]
MARKS = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->\n)", re.S)


def told(build, rows):
    """The table under the line that says where it was measured."""
    return "\n".join([f"Measured on {datetime.date.today()}: " + "; ".join(table.machine(build)) + ".", "", *table.lines(rows), ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--json")
    parser.add_argument("--write", help="Markdown file with the marks")
    parser.add_argument("names", nargs="*", default=BENCHES)
    args = parser.parse_args()
    build, rows = pathlib.Path(args.build).resolve(), []
    for name in args.names:
        print(f"measuring {name}", file=sys.stderr)
        bench = importlib.import_module(name)
        rows += bench.measure(build, min(bench.ROUNDS, args.rounds))
    print(told(build, rows), end="")
    if args.json:
        table.write(args.json, build, rows)
    if args.write:
        page = pathlib.Path(args.write)
        text, count = MARKS.subn(lambda found: found[1] + "\n" + told(build, rows) + "\n" + found[2], page.read_text(encoding="utf-8"))
        if count != 1:
            sys.exit(f"{page}: expected one line <!-- bench --> and one line <!-- /bench --> behind it")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
