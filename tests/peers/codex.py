#!/usr/bin/env python3
"""Real versions of Codex against a recorder on loopback, in a network namespace of its own.

usage: codex.py --modules NODE_MODULES [--build DIR]
       codex.py --modules NODE_MODULES --record tests/recorded/codex-cases.toml [-k TEXT] > tests/recorded/codex.jsonl

The first form runs two versions with eight set-ups: they must do what is recorded of them, and diagnose must say and
send the same. Then the newest version and diagnose meet the same failing answers: where Codex's text hides the cause,
diagnose names it. The last line is `N passed, N failed`; exit status 77 is a skip. The second form records; the older
versions it needs are installed by `npm install --no-save codex-0-142-0@npm:@openai/codex@0.142.0-linux-x64
codex-0-80-0@npm:@openai/codex@0.80.0 codex-0-40-0@npm:@openai/codex@0.40.0`; codex-cases.toml, command-cases.toml and
style-cases.toml give codex.jsonl, commands.jsonl and styles.jsonl.
"""
import argparse
import concurrent.futures
import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.dont_write_bytecode = True
import codex_recorder  # noqa: E402
import codex_run  # noqa: E402
import codex_replay  # noqa: E402

INSIDE = "DIAGNOSE_TEST_NAMESPACE"
SKIPPED = 77
LIVE_VERSIONS = ["0.171.0", "0.104.0"]
LIVE_CASES = ["env-key", "auth-file", "openai-base-url", "requires-openai-auth-and-env-key", "dotenv-and-shell",
              "http-headers", "project-denied-keys", "fault-duplicate-key"]
NO_RETRIES = "request_max_retries = 0\nstream_max_retries = 0\n"
# answer: (what Codex 0.171.0 prints, what it should have said and does not)
HIDDEN = {
    "200_html": ("stream closed before response.completed", "Wi-Fi"),
    "200_json_error": ("stream closed before response.completed", "server_error"),
    "sse_error_event_nested": ("stream closed before response.completed", "overloaded"),
    "429_overloaded": ("exceeded retry limit, last status: 429", "overloaded"),
    "429_rate_limit": ("exceeded retry limit, last status: 429", "tokens per min"),
    "500": ("experiencing high demand", "had an error"),
    "503_overloaded": ("Selected model is at capacity", "server_is_overloaded"),
}
# What Codex waits for without end and without a reason: {diagnosis: base_url}.
WAITED = {
    "connection_refused": "http://127.0.0.1:9/v1",
    "tls_handshake": "https{host}/v1",
    "dns_failure": "http://no-such-host.invalid/v1",
}
WAIT_SECONDS = 12
# (version, answer, what its turn is imported as): retries make the first ones last some seconds.
IMPORTED = [("0.171.0", "503_overloaded", "capacity"), ("0.171.0", "sse_rate_limit", "rate_limit"),
            ("0.171.0", "", "ok"), ("0.104.0", "503_overloaded", "unknown")]
SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40


def isolate():
    """Goes on in a network namespace that has loopback only, so that nothing leaves this machine."""
    if os.environ.get(INSIDE):
        with socket.socket() as s:
            fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP | IFF_RUNNING))
        return
    options = ["--net"] if os.geteuid() == 0 else ["--net", "--map-root-user"]
    if os.spawnvp(os.P_WAIT, "unshare", ["unshare", *options, "true"]) != 0:
        print("no network namespace can be made here")
        sys.exit(SKIPPED)
    os.environ[INSIDE] = "1"
    os.execvp("unshare", ["unshare", *options, sys.executable, *sys.argv])


def read_cases(path):
    """The cases of a TOML file, the words of its table [words] filled in."""
    with open(path, "rb") as file:
        document = tomllib.load(file)

    def fill(value):
        if isinstance(value, str):
            for word, text in document["words"].items():
                value = value.replace("{" + word + "}", text)
            return value
        if isinstance(value, dict):
            return {key: fill(item) for key, item in value.items()}
        return [fill(item) for item in value] if isinstance(value, list) else value
    for case in document["case"]:
        if "config" in case:
            case.setdefault("files", {})["home/.codex/config.toml"] = case.pop("config")
        case.setdefault("files", {})
        case.setdefault("versions", document["versions"])
    return fill(document["case"])


def record(args):
    """Prints one line a case and outcome; versions that did the same share it."""
    with tempfile.TemporaryDirectory() as folder, codex_recorder.Recorder(folder) as recorder:
        for case in read_cases(args.record):
            if args.k not in case["name"]:
                continue
            outcomes = []
            versions = case.pop("versions")
            for version in args.versions or versions:
                seen = codex_run.observe(case, version, os.path.abspath(args.modules), recorder)
                same = next((outcome for outcome in outcomes if outcome[1] == seen), None)
                if same:
                    same[0].append(version)
                else:
                    outcomes.append(([version], seen))
            for versions, seen in outcomes:
                print(json.dumps({"versions": versions, **case, **seen}, ensure_ascii=False), flush=True)


class Live:
    """Counts what holds of real runs."""

    def __init__(self, args, recorder):
        self.modules, self.recorder = os.path.abspath(args.modules), recorder
        self.diagnose = os.path.abspath(os.path.join(args.build, "diagnose"))
        self.passed = self.failed = 0

    def check(self, about, function, *args):
        try:
            function(*args)
            self.passed += 1
            print("ok: " + about)
        except codex_replay.Differs as reason:
            self.failed += 1
            print(f"FAIL: {about}: {reason}")

    def as_recorded(self, case, version):
        have = codex_run.observe(case, version, self.modules, self.recorder)
        want = {key: case[key] for key in have if key in case}
        if want != have:
            raise codex_replay.Differs(f"recorded {want}, now {have}")

    def config(self, case, version):
        codex_replay.check_config(self.diagnose, case, version)

    def verify(self, case, version):
        codex_replay.check_verify(self.diagnose, case, version)

    def probe(self, case, version):
        """Through the CONNECT proxy where the host is a real one: nothing can leave the namespace."""
        network = codex_run.network(self.recorder)
        codex_replay.check_probe(self.diagnose, {**case, "variables": {**case.get("variables", {}), **network}},
                                 version, self.recorder)

    def say_pong(self, home, seconds=codex_run.RUN_SECONDS_MAX):
        words = [codex_run.program(self.modules, LIVE_VERSIONS[0]), "exec", "--skip-git-repo-check", "say pong"]
        return codex_run.run_codex(words, home, self.recorder, seconds)

    def hidden(self, name, printed, cause):
        case = codex_replay.scenario_case(name, NO_RETRIES)
        with codex_run.Home(case, self.recorder.url) as home:
            _, text = self.say_pong(home)
            if printed not in text or cause in text:
                raise codex_replay.Differs(f"Codex prints {text[-400:]!r}")
            report, _ = codex_replay.ask(self.diagnose, home, "probe", LIVE_VERSIONS[0], case)
            seen = json.dumps(report["targets"], ensure_ascii=False)
            if cause not in seen:
                raise codex_replay.Differs(f"diagnose does not say {cause!r}: {seen[:400]}")

    def imported(self, home):
        """(added, known) of an import of what Codex has recorded so far."""
        words = [self.diagnose, "history", "import", "codex", "--json"]
        ran = subprocess.run(words, env=home.variables, cwd=home.root, stdin=subprocess.DEVNULL, capture_output=True,
                             check=True, timeout=60)
        if ran.stderr:
            raise codex_replay.Differs(f"an import says {ran.stderr.decode()}")
        report = json.loads(ran.stdout)
        return report["added"], report["known"]

    def rows(self, home):
        ran = subprocess.run([self.diagnose, "history", "export"], env=home.variables, capture_output=True, check=True)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def import_beside(self, version, scenario, diagnosis):
        """Imports again and again while Codex runs and writes: it must end as it does alone, and count once."""
        case = codex_replay.scenario_case(scenario, "")
        with codex_run.Home(case, self.recorder.url) as home:
            words = [codex_run.program(self.modules, version), "exec", "--skip-git-repo-check", "say pong"]
            alone, _ = codex_run.run_codex(words, home, self.recorder)
            before, _ = self.imported(home)
            codex_replay.expect("turns of a run", 1, before)
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                running = pool.submit(codex_run.run_codex, words, home, self.recorder)
                added = imports = 0
                while not running.done():
                    added += self.imported(home)[0]
                    imports += 1
                beside, text = running.result()
            added += self.imported(home)[0]
            codex_replay.expect("its exit status", alone, beside)
            if "database" in text or "locked" in text:
                raise codex_replay.Differs(f"Codex was disturbed: {text[-400:]!r}")
            codex_replay.expect("turns", (1, True), (added, imports > 0))
            codex_replay.expect("twice", 0, self.imported(home)[0])
            rows = self.rows(home)
            codex_replay.expect("diagnoses", [diagnosis] * 2, [row["diagnosis"] for row in rows])
            codex_replay.expect("versions", {version}, {row["client_version"] for row in rows})

    def waited(self, diagnosis, url):
        url = url.replace("{host}", self.recorder.url.removeprefix("http"))
        case = codex_replay.scenario_case("", NO_RETRIES)
        config = case["files"]["home/.codex/config.toml"].replace("{url}//v1", url)
        with codex_run.Home({**case, "files": {"home/.codex/config.toml": config}}, self.recorder.url) as home:
            status, text = self.say_pong(home, WAIT_SECONDS)
            codex_replay.expect("it waits", (None, True), (status, "waiting for network" in text))
            report, _ = codex_replay.ask(self.diagnose, home, "probe", LIVE_VERSIONS[0], case)
            if report["targets"][0]["diagnosis"] != diagnosis:
                raise codex_replay.Differs(f"diagnose says {report['targets'][0]['diagnosis']}")


def live(args):
    recordings = codex_replay.read_recordings()
    with tempfile.TemporaryDirectory() as folder, codex_recorder.Recorder(folder) as recorder:
        peers = Live(args, recorder)
        for name in LIVE_CASES:
            for version in LIVE_VERSIONS:
                case = next(c for c in recordings if c["name"] == name and version in c["versions"])
                peers.check(f"{name}: Codex {version} does what is recorded", peers.as_recorded, case, version)
                peers.check(f"{name}: diagnose config, {version}", peers.config, case, version)
                peers.check(f"{name}: diagnose verify, {version}", peers.verify, case, version)
                if "request" in case:
                    peers.check(f"{name}: diagnose probe, {version}", peers.probe, case, version)
        for name, (printed, cause) in HIDDEN.items():
            peers.check(f"{name}: the cause that Codex hides", peers.hidden, name, printed, cause)
        for version, scenario, diagnosis in IMPORTED:
            peers.check(f"{scenario}: imported while Codex {version} writes", peers.import_beside, version, scenario, diagnosis)
        for diagnosis, url in WAITED.items():
            peers.check(f"{diagnosis}: what Codex waits for", peers.waited, diagnosis, url)
    print(f"{peers.passed} passed, {peers.failed} failed")
    return 1 if peers.failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", required=True)
    parser.add_argument("--build", default="build")
    parser.add_argument("--record", metavar="CASES")
    parser.add_argument("--versions", nargs="+", help="record these in place of those that the cases name")
    parser.add_argument("-k", default="")
    args = parser.parse_args()
    args.modules = os.path.abspath(args.modules)
    isolate()
    if args.record:
        record(args)
        return 0
    return live(args)


sys.exit(main())
