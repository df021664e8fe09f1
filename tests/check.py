#!/usr/bin/env python3
"""Runs test suites one after the other and adds up what they say.

usage: check.py [--log DIR] [--together PREFIXES] NAME=COMMAND...

Suites whose names begin with one of the PREFIXES, parted by commas, need no quiet machine and serve no port: as many run
at once as there are processors.

Each COMMAND is run by the shell. What it counts is read from its output: a line `N passed, N failed` (`, N skipped`
may follow), or the TAP lines of cmocka. Exit status 77 is a skip whose reason is the last line printed. A suite that
exits with failure though it counted none, or counts nothing at all, is one failure. Output is shown when something
failed or was skipped. The last line is the sum; the exit status is 1 when anything failed.
"""
import argparse
import concurrent.futures
import os
import re
import signal
import subprocess
import sys

COUNTS = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)


def counted(text, status):
    """(passed, failed, skipped) of one suite's output and exit status."""
    if status == 77:
        return 0, 0, 1
    found = COUNTS.findall(text)
    if found:
        passed, failed, skipped = (int(n or 0) for n in found[-1])
    else:
        passed = len(re.findall(r"^ok \d", text, re.M))
        failed = len(re.findall(r"^not ok \d", text, re.M))
        skipped = 0
    if failed == 0 and (status != 0 or passed + skipped == 0):
        failed = 1
    return passed, failed, skipped


def run(suite):
    """(name, output, counts) of one suite."""
    name, command = suite.split("=", 1)
    done = subprocess.run(command, shell=True, env=dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP"), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode("utf-8", "replace")
    return name, text, counted(text, done.returncode)


def results(suites, prefixes):
    """Those of all suites, in their order; the ones that may run together first."""
    together = [suite for suite in suites if prefixes and suite.startswith(prefixes)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(run, together)
    yield from map(run, (suite for suite in suites if suite not in together))


def main():
    # Started in the background, SIGINT comes ignored, and programs would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", help="folder that keeps each suite's output")
    parser.add_argument("--together", metavar="PREFIXES", type=lambda text: tuple(text.split(",")))
    parser.add_argument("suite", nargs="+")
    args = parser.parse_args()
    total = [0, 0, 0]
    for name, text, counts in results(args.suite, args.together):
        total = [a + b for a, b in zip(total, counts)]
        if args.log:
            os.makedirs(args.log, exist_ok=True)
            with open(os.path.join(args.log, name + ".log"), "w", encoding="utf-8") as log:
                log.write(text)
        if counts[1] or counts[2]:
            print(text.rstrip())
        print(f"{name}: {counts[0]} passed, {counts[1]} failed, {counts[2]} skipped", flush=True)
    line = f"{total[0]} passed, {total[1]} failed"
    print(line + (f", {total[2]} skipped" if total[2] else ""))
    sys.exit(1 if total[1] else 0)


main()
