#!/usr/bin/env python3
"""A figure, not a test: `verify --offline --client-version V` on a Codex's home against `diagnose --version`.

usage: verify.py --build DIR [--rounds N] [--json FILE]

Both run in turn, so that a busy machine slows both.
"""
import os
import statistics
import sys
import tempfile
import time

import table

ROUNDS = 200
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


def measure(build, rounds):
    diagnose = str(build / "diagnose")
    with tempfile.TemporaryDirectory(prefix="diagnose-bench-") as home:
        os.mkdir(home + "/.codex")
        with open(home + "/.codex/config.toml", "w", encoding="utf-8") as out:
            out.write(CONFIG)
        env = {"PATH": "/usr/bin:/bin", "HOME": home, "GW_KEY": "sk-bench-0123456789abcdef0123456789"}
        starts, verifies = [], []
        for _ in range(rounds):
            starts.append(timed([diagnose, "--version"], env))
            verifies.append(timed([diagnose, "verify", "--offline", "--client-version", "0.171.0"], env))
    ours, start = statistics.median(verifies), statistics.median(starts)
    return [table.Row("verify --offline on a Codex home, against --version", ours / start, 2, 1.5, f"{ours * 1e3:.1f} ms",
                      is_less=True)]


if __name__ == "__main__":
    table.main(sys.modules[__name__], __doc__)
