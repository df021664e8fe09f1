#!/usr/bin/env python3
"""A figure, not a test: `verify --offline --client-version V` on a Codex's home against `diagnose --version`.

usage: verify.py --build DIR [--rounds N]

Both run in turn, so that a busy machine slows both; the figure is the ratio of medians (goal 2).
"""
import argparse
import os
import statistics
import tempfile
import time

CONFIG = """model = "m"
model_provider = "gw"
[model_providers.gw]
name = "Gateway"
base_url = "http://127.0.0.1:9/v1"
env_key = "GW_KEY"
[projects."/home/me/work"]
trust_level = "trusted"
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]
[tui]
notifications = true
"""


def timed(command, env):
    """Seconds of one run without output, which must succeed."""
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, env,
                         file_actions=[(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)])
    _, status, _ = os.wait4(pid, 0)
    assert status == 0, command
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=200)
    args = parser.parse_args()
    diagnose = os.path.abspath(os.path.join(args.build, "diagnose"))
    with tempfile.TemporaryDirectory(prefix="diagnose-bench-") as home:
        os.mkdir(home + "/.codex")
        with open(home + "/.codex/config.toml", "w", encoding="utf-8") as out:
            out.write(CONFIG)
        env = {"PATH": "/usr/bin:/bin", "HOME": home, "GW_KEY": "sk-bench-0123456789abcdef0123456789"}
        starts, verifies = [], []
        for _ in range(args.rounds):
            starts.append(timed([diagnose, "--version"], env))
            verifies.append(timed([diagnose, "verify", "--offline", "--client-version", "0.171.0"], env))
        a, b = statistics.median(verifies), statistics.median(starts)
        print(f"verify: --offline {a * 1e3:.2f} ms, --version {b * 1e3:.2f} ms, ratio {a / b:.2f} (goal 2), "
              f"{args.rounds} rounds in turn")


main()
