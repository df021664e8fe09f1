#!/usr/bin/env python3
"""Figures of the history: what its step adds to `diagnose` with 1,000 and with 1,000,000 rows, and `history hours`.

usage: history.py --build DIR [--rounds N] [--json FILE]

Both stores hold 90 days of rows of the same kind. A run probes a port where nothing listens; the step is what the run
takes more than the same run with --no-history, in turn, by medians.
"""
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import table

ROUNDS = 40
SMALL, LARGE = 1000, 1000000
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


def step_ms(runs):
    return median_ms(runs["with"]) - median_ms(runs["without"])


def figures_of(diagnose, envs, rounds):
    """Of each environment the seconds of its runs by command, all in turn."""
    probe = [diagnose, "probe"]
    commands = {"with": probe, "without": probe + ["--no-history"], "hours": [diagnose, "history", "hours"],
                "version": [diagnose, "--version"]}
    figures = [{name: [] for name in commands} for _ in envs]
    for _ in range(rounds):
        for name, command in commands.items():
            for runs, env in zip(figures, envs):
                runs[name].append(timed(command, env))
    return figures


def measure(build, rounds):
    diagnose, folder = str(build / "diagnose"), tempfile.mkdtemp(prefix="diagnose-bench-")
    try:
        os.makedirs(os.path.join(folder, ".config", "diagnose"))
        with open(os.path.join(folder, ".config", "diagnose", "config.toml"), "w", encoding="utf-8") as out:
            out.write(CONFIG)
        envs = [{"HOME": folder, "XDG_STATE_HOME": os.path.join(folder, str(rows)), "PATH": os.environ["PATH"], "TZ": "UTC"}
                for rows in (SMALL, LARGE)]
        for env, rows in zip(envs, (SMALL, LARGE)):
            make(diagnose, env, rows)
        small, large = figures_of(diagnose, envs, rounds)
    finally:
        shutil.rmtree(folder)
    step, hours = step_ms(large), median_ms(large["hours"])
    return [table.Row(f"history step of a probe, {LARGE:,} rows against {SMALL:,}", step / step_ms(small), 4, 2, f"{step:.1f} ms",
                      is_less=True),
            table.Row(f"history hours of {LARGE:,} rows, against --version", hours / median_ms(large["version"]), 30, 5,
                      f"{hours:.1f} ms", is_less=True)]


if __name__ == "__main__":
    table.main(sys.modules[__name__], __doc__)
