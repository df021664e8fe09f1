#!/usr/bin/env python3
"""Figures of the history: what its step adds to `diagnose` with 1,000 and with 1,000,000 rows, and `history hours`.

usage: history.py --build DIR [--rounds N] [--rows N]

Both stores hold 90 days of rows of the same kind. A run probes a port where nothing listens; the step is what the run
takes more than the same run with --no-history, in turn, by medians. Goals: 4 times the step of the small store, 30 times
the start-up for the heat map.
"""
import argparse
import os
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time

DAY_MS = 24 * 3600 * 1000
CONFIG = '[[target]]\nname = "t"\nbase_url = "http://127.0.0.1:9/v1"\nwire = "chat"\nmodel = "m0"\n'
INSERT = ("INSERT INTO request(local_hour, uid, at_ms, run, source, client, target, host, model, diagnosis, total_ms, session_ms, "
          "context_tokens, context_window) VALUES(?,?,?,?,'probe',?,'t','127.0.0.1:9',?,?,?,?,?,258400)")


def make(diagnose, env, rows):
    """A store of so many rows over 90 days, a fifth of them refused, some of them turns of sessions."""
    line = '{"at":"2020-01-01T00:00:00Z","uid":"first","diagnosis":"ok"}\n'
    subprocess.run([diagnose, "history", "import", "-"], input=line, text=True, env=env, check=True, stdout=subprocess.DEVNULL)
    store = sqlite3.connect(os.path.join(env["XDG_STATE_HOME"], "diagnose", "history.db"))
    now_ms, step_ms = int(time.time() * 1000), 90 * DAY_MS // rows

    def row(n):
        at_ms = now_ms - (rows - n) * step_ms
        is_turn = n % 3 == 0
        return (at_ms // 3600000, f"u{n}", at_ms, f"r{n // 5}", "codex" if is_turn else "diagnose", f"m{n % 7}",
                "capacity" if n % 5 == 0 else "ok", 412, n % 7000000 if is_turn else None, n % 200000 if is_turn else None)
    with store:
        store.executemany(INSERT, (row(n) for n in range(rows)))
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()


def median_ms(runs):
    return statistics.median(runs) * 1e3


def timed(command, env):
    began = time.perf_counter()
    subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - began


def measure(diagnose, env, rounds):
    """(history step, history hours, start-up) in ms."""
    probe, hours, version = [diagnose, "probe"], [diagnose, "history", "hours"], [diagnose, "--version"]
    runs = {"with": [], "without": [], "hours": [], "version": []}
    for _ in range(rounds):
        runs["with"].append(timed(probe, env))
        runs["without"].append(timed(probe + ["--no-history"], env))
        runs["hours"].append(timed(hours, env))
        runs["version"].append(timed(version, env))
    return median_ms(runs["with"]) - median_ms(runs["without"]), median_ms(runs["hours"]), median_ms(runs["version"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--rows", type=int, default=1000000)
    args = parser.parse_args()
    diagnose = os.path.abspath(os.path.join(args.build, "diagnose"))
    folder = tempfile.mkdtemp(prefix="diagnose-bench-")
    try:
        os.makedirs(os.path.join(folder, ".config", "diagnose"))
        with open(os.path.join(folder, ".config", "diagnose", "config.toml"), "w", encoding="utf-8") as out:
            out.write(CONFIG)
        figures = []
        for rows in (1000, args.rows):
            env = {"HOME": folder, "XDG_STATE_HOME": os.path.join(folder, str(rows)), "PATH": os.environ["PATH"], "TZ": "UTC"}
            make(diagnose, env, rows)
            figures.append(measure(diagnose, env, args.rounds))
        (small, _, _), (large, hours, start) = figures
        print(f"history step of a probe: {small:.1f} ms with 1,000 rows, {large:.1f} ms with {args.rows:,}, "
              f"ratio {large / small:.2f} (goal 4), {args.rounds} rounds in turn")
        print(f"history hours of {args.rows:,} rows: {hours:.1f} ms, start-up {start:.1f} ms, ratio {hours / start:.1f} (goal 30)")
    finally:
        shutil.rmtree(folder)


main()
