#!/usr/bin/env python3
"""Figures, not a test: from exec to the answer, against an empty program that loads the same libraries.

usage: startup.py --build DIR [--rounds N] [--json FILE]

All programs run in turn, so that a busy machine slows them alike; the figures are medians, and their ratios to the
empty program's: of wall time, of processor time, and of page faults. Instructions are counted where valgrind is.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import table

ROUNDS = 100
EMPTY = "int main(void)\n{\n    return 0;\n}\n"
PROSE = "error: 503 server_is_overloaded: The server is overloaded\n"
ANSWER = ('{"error":{"message":"You exceeded your current quota, please check your plan and billing details.",'
          '"type":"insufficient_quota","code":"insufficient_quota"}}\n')
CONFIG = '[[target]]\nbase_url = "http://127.0.0.1:9/v1"\nwire = "chat"\nmodel = "m"\n'
BASE = "empty program"
JOBS = {  # name: (arguments, standard input)
    "--version": (["--version"], ""),
    "a pasted line": (["classify", "--no-history"], PROSE),
    "a pasted answer": (["classify", "--no-history"], ANSWER),
    "classify --ndjson": (["classify", "--ndjson"], json.dumps({"id": 1, "kind": "http", "status": 429, "body": ANSWER}) + "\n"),
    "explain capacity": (["explain", "capacity"], ""),
    "config": (["config", "--config", "{folder}/own.toml"], ""),
}


def linked_like(diagnose, folder):
    """An empty program that loads the very libraries that diagnose names."""
    needed = [line.split("[")[1].split("]")[0]
              for line in subprocess.check_output(["readelf", "-d", diagnose], text=True).splitlines()
              if "(NEEDED)" in line]
    source, program = os.path.join(folder, "empty.c"), os.path.join(folder, "empty")
    with open(source, "w", encoding="utf-8") as out:
        out.write(EMPTY)
    subprocess.check_call([os.environ.get("CC", "cc"), "-O2", "-Wl,--no-as-needed", source, "-o", program] +
                          [f"-l:{name}" for name in needed])
    return program


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
    commands = {BASE: ([linked_like(diagnose, folder)], os.devnull)}
    for number, (name, (arguments, text)) in enumerate(JOBS.items()):
        path = f"{folder}/{number}.txt"
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        commands[name] = ([diagnose] + [word.replace("{folder}", folder) for word in arguments], path)
    return commands


def measure(build, rounds):
    with tempfile.TemporaryDirectory(prefix="diagnose-bench-") as folder:
        env = {"PATH": os.environ["PATH"], "HOME": folder}
        commands = prepared(str(build / "diagnose"), folder)
        seen = {name: [] for name in commands}
        for _ in range(rounds):
            for name, (command, path) in commands.items():
                seen[name].append(run(command, path, env))
        figures = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in seen.items()}
        counts = {name: instructions(command, path, env, folder) for name, (command, path) in commands.items()}
    wall, cpu, _ = figures.pop(BASE)
    rows = []
    for name, (its_wall, its_cpu, faults) in figures.items():
        counted = f", instructions {counts[name] / counts[BASE]:.2f}" if counts[name] else ""
        rows.append(table.Row(f"{name}: exec to answer, against an empty program with the same libraries", its_wall / wall, 1.5, 1.1,
                              f"{its_wall * 1e3:.1f} ms; CPU time {its_cpu / cpu:.2f}{counted}; {faults:.0f} page faults",
                              is_less=True))
    return rows


if __name__ == "__main__":
    table.main(sys.modules[__name__], __doc__)
