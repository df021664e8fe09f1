#!/usr/bin/env python3
"""Runs test suites and adds up what they say.

usage: check.py [--log DIR] [--behind SUITE...] [--together SUITE...] [--alone SUITE...]      SUITE: NAME[>OTHER]=COMMAND

Suites that wait or measure time run `--together`, as many at once as there are processors, and those that do nothing but
calculate run `--behind` them: as many again, with the lowest priority, so that they take what processors the others leave.
Each group begins in the order given, the longest best first. Suites for a quiet machine run `--alone`, one after the other,
when all the others are done. One with `>OTHER` begins when OTHER, which stands before it in its group, has ended.

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
import threading

MEMORY, ROOM_BYTES = "/dev/shm", 4 << 30  # a file system without a disk, and what the suites need of it at most
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


def environment():
    """Temporary files stay in memory where there is room: a disk's syncs take longer than many a test."""
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP")
    if "TMPDIR" not in env and os.access(MEMORY, os.W_OK):
        room = os.statvfs(MEMORY)
        if room.f_bavail * room.f_frsize >= ROOM_BYTES and not room.f_flag & os.ST_NOEXEC:
            env["TMPDIR"] = MEMORY
    return env


class Suite:
    def __init__(self, text, before, is_behind=False):
        """Of a group of which those `before` are there already."""
        name, self.command = text.split("=", 1)
        self.name, _, other = name.partition(">")
        self.after = [suite for suite in before if suite.name == other]
        self.is_behind, self.has_ended = is_behind, threading.Event()
        if other and not self.after:
            sys.exit(f"{self.name}: no {other} stands before it")

    def run(self):
        """(name, output, counts)"""
        for suite in self.after:
            suite.has_ended.wait()
        done = subprocess.run(["nice", "-n", "19" if self.is_behind else "0", "sh", "-c", self.command],
                              env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        self.has_ended.set()
        text = done.stdout.decode("utf-8", "replace")
        return self.name, text, counted(text, done.returncode)


def group(texts, is_behind=False):
    suites = []
    for text in texts:
        suites.append(Suite(text, suites, is_behind))
    return suites


def results(behind, together, alone):
    """Those of all suites, as they end."""
    pools = [concurrent.futures.ThreadPoolExecutor(os.cpu_count()) for _ in range(2)]
    started = [pool.submit(suite.run) for pool, suites in zip(pools, (together, behind)) for suite in suites]
    for future in concurrent.futures.as_completed(started):
        yield future.result()
    yield from (suite.run() for suite in alone)


def main():
    # Started in the background, SIGINT comes ignored, and programs would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", help="folder that keeps each suite's output")
    for name in ("behind", "together", "alone"):
        parser.add_argument(f"--{name}", metavar="SUITE", nargs="*", default=[])
    args = parser.parse_args()
    total = [0, 0, 0]
    for name, text, counts in results(group(args.behind, True), group(args.together), group(args.alone)):
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
