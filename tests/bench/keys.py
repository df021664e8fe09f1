#!/usr/bin/env python3
"""A figure, not a test: `diagnose check` on 200 keys at 20 ports against the time that its own limit allows at best.

usage: keys.py --build DIR [--rounds N] [--delay MS]

Each answer takes the server DELAY; a port with K keys and P requests at a time cannot be through in less than
ceil(K / P) times that. The goal is a ratio of 1.3 or less, start-up and all judging included.
"""
import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "keys"))
sys.dont_write_bytecode = True

from provider import Provider, key_of  # noqa: E402

PORTS, KEYS, PER_HOST = 20, 200, 8


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--delay", type=int, default=300, help="ms that an answer takes")
    args = parser.parse_args()
    diagnose = os.path.abspath(os.path.join(args.build, "diagnose"))
    walls, most = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(args.rounds):
            with Provider(PORTS, args.delay / 1000) as provider:
                env = {"HOME": folder, "PATH": os.environ["PATH"]}
                path = os.path.join(folder, "keys.toml")
                with open(path, "w", encoding="utf-8") as file:
                    for i in range(KEYS):
                        env[f"KEY_{i}"] = key_of("good", i)
                        file.write(f'[[target]]\nwire = "chat"\nmodel = "m"\nbase_url = "{provider.urls[i % PORTS]}"\n'
                                   f'key_env = "KEY_{i}"\n')
                start = time.perf_counter()
                subprocess.run([diagnose, "check", "--json", "--config", path, "--per-host", str(PER_HOST)], env=env,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
                walls.append(time.perf_counter() - start)
                most = max(most, provider.most_at_once())
    ideal = math.ceil(KEYS / PORTS / PER_HOST) * args.delay / 1000
    wall = statistics.median(walls)
    print(f"{KEYS} keys on {PORTS} ports, {PER_HOST} at a time, {args.delay} ms an answer: {wall * 1e3:.0f} ms, "
          f"ideal {ideal * 1e3:.0f} ms, ratio {wall / ideal:.2f} (goal 1.3); the server saw {most} at once at most")


main()
