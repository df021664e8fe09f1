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
import string
import subprocess
import sys
import tempfile

from provider import KINDS, Provider, key_of

PORTS, KEYS, OF_EACH, PER_HOST = 20, 200, 5, 3
FORMATS = ["human", "json", "ndjson", "junit", "tap", "sarif", "github", "nagios", "prometheus", "markdown"]
RANDOM = random.Random(11)


def run_of(count, letters=string.ascii_letters + string.digits):
    return "".join(RANDOM.choice(letters) for _ in range(count))


def hex_of(count):
    return run_of(count, "0123456789abcdef")


# Keys in the shapes of their providers. Those that begin like nothing else are hidden wherever they stand; the others
# only where they were sent, or stand behind a name that says what they are.
TELLING = ["sk-proj-" + run_of(48), "sk-svcacct-" + run_of(48), "sk-" + run_of(20) + "T3BlbkFJ" + run_of(20),
           "sk-ant-api03-" + run_of(93) + "AA", "sk-ant-oat01-" + run_of(90), "sk-or-v1-" + hex_of(64),
           "gsk_" + run_of(52), "sk-" + hex_of(32), "xai-" + run_of(80), "tgp_v1_" + run_of(43), "fw_" + run_of(24),
           "pplx-" + run_of(48), "AIza" + run_of(35), "sk-" + run_of(48, string.ascii_lowercase),
           hex_of(32) + "." + run_of(16), "csk-" + run_of(48, string.ascii_lowercase), "nvapi-" + run_of(64),
           "hf_" + run_of(34), "r8_" + run_of(37), "bce-v3/ALTAK-" + run_of(20) + "/" + hex_of(40),
           "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ" + run_of(24) + "." + run_of(43)]
PLAIN = [hex_of(32), run_of(32), run_of(40), hex_of(64), run_of(84)]


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


def parts(key):
    """What a reader could not have by chance: the key's longest run of letters, in pieces of twelve."""
    longest = max(key.replace("/", ".").split("."), key=len)
    return [longest[i:i + 12] for i in range(8, len(longest) - 12, 4)] + [key]


def check_secrets(results, build, folder):
    """Planted in values, headers, bodies, lists, names of files and of variables: in no form of any result."""
    def reply(key):
        told = TELLING if key in TELLING else [key]
        headers = {"x-request-id": key, "x-echo": key, "retry-after": "1"}
        body = {"data": [{"id": other} for other in told], "error": {"message": "no " + " ".join(told), "code": key,
                                                                   "type": f"api-key: {key}"}}
        return (401, headers, body, None) if len(key) % 2 else (200, headers, {"data": body["data"]}, None)

    with Provider(1, 0, reply) as provider:
        env = {"HOME": folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        text = f'[defaults]\nwire = "chat"\nbase_url = "{provider.urls[0]}"\nmodel = "m"\n'
        for i, key in enumerate(TELLING + PLAIN):
            name = key.replace("/", "%2F") + ".key"
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(key + "\n")
            env[f"K{i}"] = key
            said = f'key_env = "K{i}"' if i % 2 else f'key_file = "{folder}/{name}"'
            header = TELLING[(i + 1) % len(TELLING)]
            text += f'[[target]]\n{said}\nheaders = {{ x-extra-key = "{header}", x-note = "{header}" }}\n'
        path = os.path.join(folder, TELLING[0] + ".toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        for form in FORMATS:
            for more in (["-v"], ["--strict", "--live"], ["--dry-run"]):
                words = ["check", "--config", path, "--format", form, *more]
                done = subprocess.run([os.path.join(build, "diagnose"), *words], env=env, capture_output=True, text=True,
                                      stdin=subprocess.DEVNULL, timeout=60, check=False)
                seen = done.stdout + done.stderr
                told = sorted({key[:16] for key in TELLING + PLAIN if any(part in seen for part in parts(key))})
                results.check(f"{form} {' '.join(more)}: keys in the result", told, [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    build = os.path.abspath(parser.parse_args().build)
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        check_all(results, build, folder)
        check_fail_on(results, build, folder)
    with tempfile.TemporaryDirectory() as folder:
        check_secrets(results, build, folder)
    print(f"{results.passed} passed, {results.failed} failed")
    sys.exit(1 if results.failed else 0)


main()
