#!/usr/bin/env python3
"""Watches scripted clients with `diagnose observe`: well-behaved ones are counted right, hostile ones get nothing out and
leave nothing behind.

usage: observe.py [--build DIR]

Prints a line for each failure; the last line is `N passed, N failed`.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KEY = "sk-observe-Hq7Lm2Xv9Rt4Nb6Kd1Wz8Py3"
FINGERPRINT = hashlib.sha256(KEY.encode()).hexdigest()[:8]
RUN_SECONDS_MAX = 60
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
NO_NETWORK = "echo 0 > /proc/sys/user/max_net_namespaces && exec \"$@\""
CONFIG = '''model = "gpt-x"
model_provider = "mine"
model_fallback = ["gpt-y", "gpt-z"]
notify = ["touch", "{home}/notified"]

[model_providers.mine]
name = "mine"
base_url = "https://gateway.example.test/team/v1"
requires_openai_auth = true

[mcp_servers.tool]
command = "touch"
'''


class Checks:
    def __init__(self, build, folder):
        self.diagnose = [str(pathlib.Path(build, "diagnose").resolve())]
        self.folder, self.passed, self.failed = pathlib.Path(folder), 0, 0
        self.client = [sys.executable, str(HERE / "client.py")]
        self.temporary = self.folder / "tmp"
        self.env = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "OPENAI_API_KEY": KEY,
                    "TMPDIR": str(self.temporary)}

    def check(self, about, want, have):
        if want == have:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL: {about}: wanted {want!r}, have {have!r}")

    def holds(self, about, truth, have=""):
        self.check(about, True, bool(truth) or have)

    def start(self, *args, env=None):
        return subprocess.Popen([*self.diagnose, "observe", *args], env={**self.env, **(env or {})}, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, about, *args, code=0, env=None):
        self.temporary.mkdir(exist_ok=True)
        process = self.start(*args, env=env)
        out, errors = process.communicate(timeout=RUN_SECONDS_MAX)
        self.check(about + ": exit code", code, process.returncode)
        self.holds(about + ": no key in the output", KEY not in out + errors and "s3cr3t" not in out + errors)
        self.holds(about + ": no sanitizer speaks", not re.search("runtime error:|Sanitizer", errors), errors[-2000:])
        self.holds(about + ": no control character is shown", not UNSAFE.search(out + errors))
        self.check(about + ": nothing is left in the temporary directory", [], os.listdir(self.temporary))
        return out, errors

    def watch(self, about, *args, code=0, env=None):
        out, _ = self.run(about, "--json", *args, code=code, env=env)
        return json.loads(out)


def tries(report):
    return [[request["model"] for request in run["requests"]] for run in report["runs"]]


def well_behaved(c):
    command = ["--", *c.client, "patient", "gpt-a"]
    seen = c.watch("patient client", *command)
    c.check("its client", "python" in seen["client"], True)
    c.check("all kinds, in order", ["healthy", "capacity", "rate_limit", "401"], [run["answer"] for run in seen["runs"]])
    c.check("tries", [["gpt-a"], ["gpt-a"] * 3, ["gpt-a"] * 3, ["gpt-a"]], tries(seen))
    c.check("exit codes", [0, 1, 1, 1], [run["exit_code"] for run in seen["runs"]])
    first = seen["runs"][0]["requests"][0]
    c.check("path and key", ("/v1/responses", FINGERPRINT, "POST", 200),
            (first["path"], first["key_fingerprint"], first["method"], first["status"]))
    headers = seen["runs"][0]["headers"]
    c.check("headers", ("blue", f"Bearer [key {FINGERPRINT}]", True),
            (headers.get("x-team"), headers.get("authorization"), "[key " in headers.get("cookie", "")))
    for run in seen["runs"]:
        times = [request["at_ms"] for request in run["requests"]]
        c.check("times grow", sorted(times), times)
    c.check("the line it ends with", f"ClientError: gave up with 503, key [key {FINGERPRINT}]\\x1B[31m\\u{{202E}}",
            seen["runs"][1]["text"])
    c.holds("it does not wait as told", "sooner than the 2 s" in " ".join(seen["conclusions"]), seen["conclusions"])
    c.holds("one model only is concluded", "gpt-a only" in " ".join(seen["conclusions"]), seen["conclusions"])
    c.check("the contract", ("observe", 1, 0), (seen["command"], seen["schema_version"], seen["exit_code"]))


def options(c):
    command = ["--", *c.client, "patient", "gpt-a", "gpt-b"]
    seen = c.watch("a client with a fallback", "--answers", "503,ok,capacity", *command)
    c.check("kinds by other names, each once", ["capacity", "healthy"], [run["answer"] for run in seen["runs"]])
    c.check("both models", [["gpt-a"] * 3 + ["gpt-b"] * 3, ["gpt-a"]], tries(seen))
    c.holds("the second model is concluded", "gpt-a, gpt-b" in " ".join(seen["conclusions"]), seen["conclusions"])
    env = {"OPENAI_BASE_URL": "https://gateway.example.test/openai/v9"}
    seen = c.watch("a base URL with a path", "--answers", "healthy", *command, env=env)
    c.check("the path is kept", "/openai/v9/responses", seen["runs"][0]["requests"][0]["path"])
    out, errors = c.run("human, English", "--answers", "healthy,401", *command)
    c.holds("human text", re.search(r"sends +POST /v1/responses", out) and re.search(r"healthy +1 .* 0$", out, re.M), out)
    c.holds("it says first what runs and where the key goes", "will run" in errors and "loopback only" in errors, errors)
    out, errors = c.run("human, Chinese", "--lang", "zh", "--answers", "401", *command)
    c.holds("Chinese text", "放弃" in out or "不重试" in out, out)
    c.holds("Chinese remark", "将运行" in errors, errors)
    for args, words in [(["--answers", "capcity", *command], "capacity"), (["no-such-program"], "no program"),
                        (["codxe"], "codex"), ([], "COMMAND"), (["--", "/dev/null"], "no program")]:
        _, errors = c.run(f"usage: {args}", *args, code=4)
        c.holds(f"usage: {args}", words in errors, errors)
    seen = c.watch("a client that sends nothing", "--answers", "healthy", "--", *c.client, "silent", code=5)
    c.check("its exit code", 7, seen["runs"][0]["exit_code"])
    c.holds("nothing can be said", "nothing can be said" in " ".join(seen["conclusions"]), seen["conclusions"])
    seen = c.watch("a client that a signal ends", "--answers", "healthy", "--", *c.client, "killed", code=5)
    c.check("its end", (None, 9), (seen["runs"][0]["exit_code"], seen["runs"][0]["signal"]))
    seen = c.watch("a WebSocket first", "--answers", "healthy", "--", *c.client, "upgrade")
    c.check("the upgrade is refused and no try", ([426], 1),
            ([item["status"] for item in seen["runs"][0]["upgrades"]], seen["runs"][0]["tries"]))


def hostile(c):
    short = ["--answers", "healthy", "--timeout", "2s", "--"]
    seen = c.watch("endless output", *short, *c.client, "endless")
    c.check("it is cut", (True, 1), (seen["runs"][0]["cut"], seen["runs"][0]["tries"]))
    c.holds("its output is bounded", len(seen["runs"][0]["text"]) < 2000)
    c.holds("a cut is said", "cut there" in " ".join(seen["conclusions"]), seen["conclusions"])
    seen = c.watch("a client that ignores SIGTERM", *short, *c.client, "stubborn")
    c.check("it is killed", (True, 9), (seen["runs"][0]["cut"], seen["runs"][0].get("signal")))
    c.watch("a client that buries what it leaves", "--answers", "healthy", "--", *c.client, "buried")
    report = c.folder / "pid"
    seen = c.watch("a client that forks away", "--answers", "healthy", "--", *c.client, "forks-away", str(report))
    c.check("what it left is counted", 1, seen["runs"][0]["left_over"])
    c.holds("and is gone", not os.path.exists(f"/proc/{report.read_text(encoding='ascii')}"))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        seen = c.watch("the key is taken elsewhere", "--answers", "healthy", "--", *c.client, "elsewhere",
                       str(listener.getsockname()[1]))
        try:
            listener.accept()
            came = True
        except BlockingIOError:
            came = False
    refused = [(item["host"], item["status"]) for item in seen["runs"][0]["refused"]]
    c.check("both are refused", [("evil.example:443", 403), ("plain.example", 403)], refused)
    c.check("its own address through the proxy is no other host", 1, seen["runs"][0]["tries"])
    c.holds("the hosts are concluded", "evil.example:443, plain.example" in " ".join(seen["conclusions"]),
            seen["conclusions"])
    c.check("nothing gets past the proxy where a network can be made", not seen["isolated"], came)


def without_network(c):
    """Where the system makes no network, proxy variables alone lead the client, and that is said."""
    wrap = ["unshare", "--user", "--map-root-user", "sh", "-c", NO_NETWORK, "sh"]
    if subprocess.run([*wrap, "true"], capture_output=True, check=False).returncode:
        return
    c.diagnose, bare = [*wrap, *c.diagnose], c.diagnose
    seen = c.watch("no network can be made", "--answers", "ok", "--", *c.client, "elsewhere", "9")
    c.check("the others are refused all the same", (False, ["evil.example:443", "plain.example"]),
            (seen["isolated"], [item["host"] for item in seen["runs"][0]["refused"]]))
    out, _ = c.run("no network, human", "--answers", "ok", "--", *c.client, "patient", "m")
    c.holds("it is said", "refused by proxy variables" in out, out)
    c.diagnose = bare


def known_client(c):
    """A client whose files are known: copies, settings on its command line, nothing of its own touched."""
    programs, home = c.folder / "bin", c.folder / ".codex"
    for folder in [programs, home]:
        folder.mkdir()
    shutil.copy(HERE / "client.py", programs / "codex")
    (programs / "codex").chmod(0o755)
    (home / "config.toml").write_text(CONFIG.replace("{home}", str(c.folder)), encoding="utf-8")
    (home / "auth.json").write_text(json.dumps({"auth_mode": "apikey", "OPENAI_API_KEY": KEY}), encoding="ascii")
    (home / ".env").write_text("FROM_DOTENV=yes\nHTTPS_PROXY=http://127.0.0.1:9\n", encoding="ascii")
    before = sorted((path.name, path.read_bytes()) for path in home.iterdir())
    env = {"PATH": f"{programs}:{os.environ['PATH']}", "SEEN": str(c.folder / "seen"), "OPENAI_API_KEY": ""}
    seen = c.watch("a known client", "codex", "--answers", "healthy,capacity", env=env)
    c.check("client and version", ("codex", "0.171.0"), (seen["client"], seen["version"]))
    first = seen["runs"][0]["requests"][0]
    c.check("path, model and key", ("/team/v1/responses", "gpt-x", FINGERPRINT),
            (first["path"], first["model"], first["key_fingerprint"]))
    c.check("settings stand last, variables of its file are there", "status 200, yes, settings last",
            seen["runs"][0]["text"])
    c.holds("the chain is never tried", "Codex 0.171.0 never tries gpt-y, gpt-z: model_fallback has no effect" in
            seen["conclusions"], seen["conclusions"])
    c.check("its own files are as before", before, sorted((path.name, path.read_bytes()) for path in home.iterdir()))
    places = (c.folder / "seen").read_text(encoding="ascii").split()
    c.check("all places were temporary, each its own", (4, True, []),
            (len(set(places)), all(place.startswith(str(c.temporary)) for place in places),
             [place for place in places if os.path.exists(place)]))
    project = c.folder / "project"
    (project / ".codex").mkdir(parents=True)
    (project / ".codex" / "config.toml").write_text('model = "gpt-p"\n', encoding="utf-8")
    (home / "slow.config.toml").write_text('notify = ["x"]\n', encoding="utf-8")
    relative = os.path.relpath(programs / "codex")
    seen = c.watch("by a relative path, with a profile", "-C", str(project), "--profile", "slow", "--answers", "401",
                   relative, env=env)
    c.check("the profile is chosen and its file copied", "profile slow of ['slow.config.toml']", seen["runs"][0]["text"])
    c.check("no project is in force", [], [text for text in seen["conclusions"] if "gpt-p" in text])
    seen = c.watch("with words of the user's", "--answers", "healthy", "--", "codex", "exec", "--", "-c", env=env)
    c.check("settings go before --", "status 200, yes, -c", seen["runs"][0]["text"])
    (home / "config.toml").write_text('cli_auth_credentials_store = "keyring"\n', encoding="utf-8")
    seen = c.watch("a login in a keyring", "codex", env=env, code=5)
    c.check("it is not observable", (False, []), (seen["observable"], seen["runs"]))
    c.holds("and why", "keyring" in seen["reason"], seen["reason"])
    (home / "config.toml").write_text("model = \n", encoding="utf-8")
    out, _ = c.run("a broken file", "codex", env=env, code=5)
    c.holds("its place is named", re.search(r"config\.toml:1:\d+: ", out), out)


def client_with_json(c):
    """Settings in JSON, with variables that would lead the client away."""
    programs, home = c.folder / "bin2", c.folder / ".claude"
    for folder in [programs, home]:
        folder.mkdir()
    shutil.copy(HERE / "client.py", programs / "claude")
    (programs / "claude").chmod(0o755)
    (home / "settings.json").write_text(json.dumps({
        "model": "claude-x", "hooks": {"Stop": []}, "env": {
            "ANTHROPIC_BASE_URL": "https://gateway.example.test/team", "https_proxy": "http://127.0.0.1:9",
            "FROM_SETTINGS": "yes"}}), encoding="utf-8")
    env = {"PATH": f"{programs}:{os.environ['PATH']}"}
    for word in ["claude", "claude-code"]:
        seen = c.watch(f"a client with JSON by the name {word}", word, "--answers", "ok", env=env)
        c.check("its settings", "status 200, ['model'], yes, ['-p', 'say pong']", seen["runs"][0]["text"])
        c.check("path and version", ("/team/v1/messages", "2.1.332", "claude-code"),
                (seen["runs"][0]["requests"][0]["path"], seen["version"], seen["client"]))
    (home / "settings.json").write_text("{", encoding="utf-8")
    seen = c.watch("broken JSON", "claude", env=env, code=5)
    c.holds("its place is named", "settings.json:1:" in seen["reason"], seen["reason"])


def interrupted(c):
    """A signal ends the client and removes the directory; 128 and the signal's number is the exit code."""
    for name in ["SIGINT", "SIGTERM", "SIGHUP"]:
        number = getattr(signal, name)
        c.temporary.mkdir(exist_ok=True)
        ready = c.folder / f"ready-{name}"
        os.mkfifo(ready)
        process = c.start("--answers", "healthy", "--", sys.executable, "-c",
                          f"import time; open({str(ready)!r}, 'w').write(str(__import__('os').getpid())); time.sleep(600)")
        with open(ready, encoding="ascii") as pipe:
            client = pipe.read()
        process.send_signal(number)
        out, _ = process.communicate(timeout=RUN_SECONDS_MAX)
        c.check(f"{name}: exit code and output", (128 + number, ""), (process.returncode, out))
        c.check(f"{name}: nothing is left", ([], False), (os.listdir(c.temporary), os.path.exists(f"/proc/{client}")))


def main():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it comes ignored, and programs inherit that
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="diagnose-observe-") as folder:
        checks = Checks(args.build, folder)
        for part in [well_behaved, options, hostile, without_network, known_client, client_with_json, interrupted]:
            part(checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


sys.exit(main())
