#!/usr/bin/env python3
"""Figures, not a test: from exec to the answer, against an empty program that loads the same libraries.

usage: startup.py --build DIR [--rounds N] [--json FILE]

All programs run in turn, so that a busy machine slows them alike; the figures are medians, and their ratios to the
empty program's: of wall time, of processor time, and of page faults. Instructions are counted where valgrind is.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from bench import linked_like

PROSE = "error: 503 server_is_overloaded: The server is overloaded\n"
ANSWER = ('{"error":{"message":"You exceeded your current quota, please check your plan and billing details.",'
          '"type":"insufficient_quota","code":"insufficient_quota"}}\n')
CONFIG = '[[target]]\nbase_url = "http://127.0.0.1:9/v1"\nwire = "chat"\nmodel = "m"\n'
JOBS = {  # name: (arguments, standard input)
    "--version": (["--version"], ""),
    "a pasted line": (["classify", "--no-history"], PROSE),
    "a pasted answer": (["classify", "--no-history"], ANSWER),
    "classify --ndjson": (["classify", "--ndjson"], json.dumps({"id": 1, "kind": "http", "status": 429, "body": ANSWER}) + "\n"),
    "explain capacity": (["explain", "capacity"], ""),
    "config": (["config", "--config", "{folder}/own.toml"], ""),
}


def run(command, text_path, env):
    """(seconds, seconds of the processor, page faults) of one run without output."""
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, env,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 0, text_path, os.O_RDONLY, 0)] +
                         [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)])
    _, _, usage = os.wait4(pid, 0)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_minflt


def instructions(command, text_path, env, folder):
    """What callgrind counts, or None without valgrind."""
    valgrind = shutil.which("valgrind")
    if not valgrind:
        return None
    with open(text_path, "rb") as text:
        told = subprocess.run([valgrind, "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", *command],
                              stdin=text, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env, check=False).stderr
    found = re.search(rb"Collected : (\d+)", told)
    return int(found.group(1)) if found else None


def prepared(diagnose, folder):
    """{name: (command, path of its input)}; the empty program stands first."""
    with open(f"{folder}/own.toml", "w", encoding="utf-8") as out:
        out.write(CONFIG)
    commands = {"empty program": ([linked_like(diagnose, folder)], os.devnull)}
    for number, (name, (arguments, text)) in enumerate(JOBS.items()):
        path = f"{folder}/{number}.txt"
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        commands[name] = ([diagnose] + [word.replace("{folder}", folder) for word in arguments], path)
    return commands


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--json")
    args = parser.parse_args()
    diagnose = os.path.abspath(os.path.join(args.build, "diagnose"))
    with tempfile.TemporaryDirectory(prefix="diagnose-bench-") as folder:
        env = {"PATH": os.environ["PATH"], "HOME": folder}
        commands = prepared(diagnose, folder)
        seen = {name: [] for name in commands}
        for _ in range(args.rounds):
            for name, (command, path) in commands.items():
                seen[name].append(run(command, path, env))
        rows = {}
        for name, (command, path) in commands.items():
            wall, cpu, faults = (statistics.median(column) for column in zip(*seen[name]))
            rows[name] = {"wall_ms": wall * 1e3, "cpu_ms": cpu * 1e3, "faults": faults,
                          "instructions": instructions(command, path, env, folder)}
    base = rows["empty program"]
    print(f"start-up, {args.rounds} rounds in turn   wall ms  ratio   cpu ms  ratio   faults   Minstr  ratio")
    for name, row in rows.items():
        counted = row["instructions"]
        count = f"{counted / 1e6:8.2f} {counted / base['instructions']:6.2f}" if counted else "       -      -"
        print(f"  {name:30} {row['wall_ms']:8.2f} {row['wall_ms'] / base['wall_ms']:6.2f} {row['cpu_ms']:8.2f} "
              f"{row['cpu_ms'] / base['cpu_ms']:6.2f} {row['faults']:8.0f} {count}")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as out:
            json.dump(rows, out, indent=1)


if __name__ == "__main__":
    main()
