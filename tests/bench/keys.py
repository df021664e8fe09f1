#!/usr/bin/env python3
"""A figure, not a test: `diagnose check` on 200 keys at 20 ports against the time that its own limit allows at best.

usage: keys.py --build DIR [--rounds N] [--json FILE]

Each answer takes the server DELAY; a port with K keys and P requests at a time cannot be through in less than
ceil(K / P) times that. The goal is a ratio of 1.3 or less, start-up and all judging included.
"""
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "keys"))
sys.dont_write_bytecode = True

import table  # noqa: E402
from provider import Provider, key_of  # noqa: E402

ROUNDS = 5
PORTS, KEYS, PER_HOST, DELAY_MS = 20, 200, 8, 300


def configure(folder, provider, env):
    """The configuration of all keys; puts them into env."""
    path = os.path.join(folder, "keys.toml")
    with open(path, "w", encoding="utf-8") as file:
        for i in range(KEYS):
            env[f"KEY_{i}"] = key_of("good", i)
            file.write(f'[[target]]\nwire = "chat"\nmodel = "m"\nbase_url = "{provider.urls[i % PORTS]}"\n'
                       f'key_env = "KEY_{i}"\n')
    return path


def measure(build, rounds):
    walls, most = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            with Provider(PORTS, DELAY_MS / 1000) as provider:
                env = {"HOME": folder, "PATH": os.environ["PATH"]}
                path = configure(folder, provider, env)
                start = time.perf_counter()
                subprocess.run([str(build / "diagnose"), "check", "--json", "--config", path, "--per-host", str(PER_HOST)],
                               env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
                walls.append(time.perf_counter() - start)
                most = max(most, provider.most_at_once())
    ideal = math.ceil(KEYS / PORTS / PER_HOST) * DELAY_MS / 1000
    wall = statistics.median(walls)
    return [table.Row(f"check of {KEYS} keys on {PORTS} ports, wall / the least that the limit of each allows", wall / ideal, 1.3,
                      1.1, f"{wall * 1e3:.0f} ms, {most} at once at most", is_less=True)]


if __name__ == "__main__":
    table.main(sys.modules[__name__], __doc__)
