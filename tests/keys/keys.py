#!/usr/bin/env python3
"""Many keys at once: does `diagnose check` find exactly the bad ones, and does it spare the hosts?

usage: keys.py [--build DIR]

200 keys on 20 ports, five of each kind of failure planted among them. Prints `N passed, N failed`.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

from provider import KINDS, Provider, key_of

PORTS, KEYS, OF_EACH, PER_HOST = 20, 200, 5, 3


class Results:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, have, want):
        if have == want:
            self.passed += 1
        else:
            self.failed += 1
            print(f"not ok - {what}: {have!r}, expected {want!r}")


def plant():
    """Kinds of all keys, in an order that spreads failures over the ports."""
    kinds = [kind for kind in KINDS if kind != "good" for _ in range(OF_EACH)]
    kinds += ["good"] * (KEYS - len(kinds))
    random.Random(7).shuffle(kinds)
    return kinds


def write_config(folder, kinds, urls):
    env = {"HOME": folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    text = '[defaults]\nwire = "chat"\n'
    for i, kind in enumerate(kinds):
        env[f"KEY_{i:03d}"] = key_of(kind, i)
        text += f'[[target]]\nname = "t{i}"\nmodel = "m"\nbase_url = "{urls[i % len(urls)]}"\nkey_env = "KEY_{i:03d}"\n'
    path = os.path.join(folder, "keys.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path, env


def run(build, env, *words):
    done = subprocess.run([os.path.join(build, "diagnose"), "check", *words], env=env, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=60, check=False)
    return done.returncode, done.stdout


def check_all(results, build, folder):
    kinds = plant()
    with Provider(PORTS, 0.02) as provider:
        path, env = write_config(folder, kinds, provider.urls)
        code, out = run(build, env, "--json", "--config", path, "--timeout", "1500ms", "--per-host", str(PER_HOST))
        sent, most = provider.requests(), provider.most_at_once()
    keys = json.loads(out)["keys"]
    results.check("exit code", code, 1)
    results.check("rows", len(keys), KEYS)
    for i, kind in enumerate(kinds):
        want = ("ok", None) if kind == "good" else ("failed", KINDS[kind][3])
        results.check(f"{kind} key {i}", (keys[i]["status"], keys[i]["diagnosis"]), want)
    # libcurl itself sends again what a kept connection lost without one byte.
    counts = collections.Counter(key for _, _, key in sent if "-cut" not in key)
    results.check("one request a key", (len(counts), max(counts.values())), (KEYS - OF_EACH, 1))
    results.check("free requests only", {method for method, _, _ in sent}, {"GET"})
    results.check("never more at once than --per-host", most <= PER_HOST, True)
    results.check("as many at once as --per-host", most, PER_HOST)
    results.check("no key in the result", "k7Xqk7Xq" in out, False)


def check_fail_on(results, build, folder):
    """Only auth counts; then nothing of it is there."""
    with Provider(PORTS, 0) as provider:
        for kinds, wanted in ((["good", "revoked", "empty", "full"], 1), (["good", "empty", "full", "hasty"], 0)):
            path, env = write_config(folder, kinds, provider.urls)
            code, out = run(build, env, "--json", "--config", path, "--fail-on", "auth")
            results.check(f"--fail-on auth with {kinds}", code, wanted)
            failed = [row["status"] for row in json.loads(out)["keys"]].count("failed")
            results.check("failures are told all the same", failed, sum(kind != "good" for kind in kinds))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    build = os.path.abspath(parser.parse_args().build)
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        check_all(results, build, folder)
        check_fail_on(results, build, folder)
    print(f"{results.passed} passed, {results.failed} failed")
    sys.exit(1 if results.failed else 0)


main()
