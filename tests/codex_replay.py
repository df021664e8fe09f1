#!/usr/bin/env python3
"""What diagnose makes of set-ups whose effect on real versions of Codex is recorded in tests/recorded/codex.jsonl.

usage: codex_replay.py [--build DIR] [-k TEXT]

For each recording the same home is built again and `diagnose config` asked: model, URL, key, query and headers must be
those of Codex's own request; what Codex refused must be refused, on the line that Codex names; what it ignored must be
named. Then `diagnose probe` must send to a recorder what Codex sent, and give every answer of server-scenarios.json the
diagnosis of scenarios.toml. The last line is `N passed, N failed`, with `, N skipped` where files below /etc cannot be
put there in a mount namespace.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "peers"))
sys.dont_write_bytecode = True

import codex_recorder  # noqa: E402
import codex_run  # noqa: E402

RECORDED = HERE / "recorded"
NEWEST = "0.171.0"
NOWHERE = "http://127.0.0.1:9"  # the recorder's place where nothing is sent
PATHS = {"responses": "/responses", "chat": "/chat/completions"}
RUN_SECONDS_MAX = 30


class Differs(Exception):
    """Says what is not as it was recorded."""


def expect(about, want, have):
    if want != have:
        raise Differs(f"{about}: Codex {want!r}, diagnose {have!r}")


def ask(diagnose, home, command, version, case, *options):
    """The JSON that a command of diagnose prints in that home, and its exit status."""
    argv = [diagnose, command, "--client", "codex", "--client-version", version, "--json", *options,
            *case.get("argv", [])]
    if "command" in case:
        argv += ["--", "codex", *map(home.fill, case["command"])]
    run = subprocess.run(home.command(argv), cwd=home.cwd, env=home.variables, stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=RUN_SECONDS_MAX)
    text = (run.stdout + run.stderr).decode("utf-8", "replace")
    if "sk-test-" in text:
        raise Differs("a key is in the output")
    if "Sanitizer" in text or "runtime error:" in text:
        raise Differs(text[-1000:])
    try:
        return json.loads(run.stdout), run.returncode
    except ValueError:
        raise Differs(f"exit {run.returncode}, no JSON: {text[:300]}") from None


def effective(report):
    """The request that the settings amount to, in the form of a recording."""
    rows = {row["key"]: row["value"] for row in report["settings"]}
    headers = {key.removeprefix("headers.").lower() for key in rows if key.startswith("headers.")}
    key = re.fullmatch(r"\[key (\w+)\]", rows.get("key", ""))
    url = rows.get("base_url", "")
    base, _, query = url.partition("?")
    path = PATHS.get(rows.get("wire_api", ""), "")
    if query:
        query, path = query + path, ""
    rows_query = "" if query else rows.get("query", "")
    params = [p for p in (query + "&" + rows_query).split("&") if p]
    return {"model": rows.get("model"), "url": base + path, "query": sorted(params),
            "key_fingerprint": key[1] if key else None, "headers": headers}


def compare(want, have):
    """A request of Codex against one that diagnose would send or did send; a key may stand among the headers."""
    for part, key in [("model", "model"), ("url", "url"), ("query", "query"), ("key", "key_fingerprint")]:
        expect(part, want[key], have[key])
    expect("headers", set(want.get("headers", {})), set(have["headers"]) - {"authorization"})


def line_of(origin):
    """(file name, line) of an origin as FILE:LINE:COLUMN."""
    found = re.fullmatch(r"(.*?):(\d+)(?::\d+)?", origin or "")
    return (os.path.basename(found[1]), int(found[2])) if found else None


def check_refusal(case, report, status):
    errors = [p for p in report["problems"] if p["severity"] == "error"]
    if status == 0 or not errors:
        raise Differs(f"Codex refuses ({' / '.join(case['refusal'])[:200]}), diagnose does not")
    position = case.get("position")
    if position:
        where = (os.path.basename(position["file"]), position["line"])
        lines = [line_of(p["origin"]) for p in errors]
        if where not in lines:
            raise Differs(f"line: Codex {where}, diagnose {lines}")


def check_named(case, report):
    """What Codex says that it ignores, diagnose says as well."""
    said = "\n".join(f'{p["message"]} {p["suggestion"]}' for p in report["problems"])
    for key in case.get("ignored", []):
        if key.split(".")[-1] not in said:
            raise Differs(f"Codex ignores {key}, diagnose does not say so")
    for warning in case.get("warnings", []):
        if "Untrusted project-local" in warning:
            expect("project file", ["ignored"], [f["status"] for f in report["files"] if "project" in f["path"]
                                                 or f["path"].startswith(".codex/")])
        found = re.search(r"is ignoring (\d+) unrecognized", warning)
        if found and "command" not in case:
            unknown = [p["message"] for p in report["problems"] if p["code"] == "unknown_key"]
            expect("number of ignored keys", True, len(unknown) >= int(found[1]))
        found = re.search(r"Ignored unsupported project-local config keys in .*: (.*?)\. If you", warning)
        for key in found[1].split(", ") if found else []:
            if f'"{key}"' not in said and key not in said:
                raise Differs(f"Codex ignores {key} of the project, diagnose does not say so")


def check_config(diagnose, case, version):
    with codex_run.Home(case, NOWHERE) as home:
        report, status = ask(diagnose, home, "config", version, case)
        if "settings" not in report:
            raise Differs(f"exit {status}: {report.get('error')}")
        if "request" in case:
            have = effective(report)
            have["url"] = home.blank(have["url"])
            want = case["request"]  # settings are shown without blanks at their ends
            compare({**want, "model": want["model"].strip()}, {**have, "model": (have["model"] or "").strip()})
            check_named(case, report)
        else:
            check_refusal(case, report, status)


def check_verify(diagnose, case, version):
    """What is right about a set-up, and what Codex sends with it, is not found wrong."""
    with codex_run.Home(case, NOWHERE) as home:
        report, status = ask(diagnose, home, "verify", version, case, "--offline")
        target = report["targets"][0]
        findings = report["config"]["findings"] + [f for t in report["targets"] for f in t["findings"]]
        wrong = [f["message"] for f in findings if f["diagnosis"] != "ok"]
        if version in case.get("valid", []) and (status or wrong):
            raise Differs(f"exit {status}: {wrong}")
        if "request" in case:
            expect("effective model", case["request"]["model"].strip(), (target["effective"] or "").strip())
        elif status == 0:
            raise Differs("Codex refuses, verify does not")


def check_probe(diagnose, case, version, recorder):
    with codex_run.Home(case, recorder.url) as home:
        recorder.take()
        report, _ = ask(diagnose, home, "probe", version, case)
        sent = [{**r, "url": home.blank(r["url"])} for r in recorder.take() if r["model"] == case["request"]["model"]]
        if not sent and case["request"]["key_fingerprint"] is None:
            # Codex sends its request without a key; to say that it has none takes no request.
            expect("diagnosis", True, report["targets"][0]["diagnosis"] in ("auth_missing_key", "auth_invalid_key"))
            return
        if not sent:
            raise Differs("diagnose sent no request with that model")
        compare(case["request"], sent[0])
        expect("values of headers", case["request"].get("headers", {}), sent[0]["headers"])


def scenario_case(name, retries=""):
    """A Codex whose provider gives that answer."""
    config = (f'model = "m-user"\nmodel_provider = "gw"\n[model_providers.gw]\nname = "Gateway"\n'
              f'base_url = "{{url}}/{name}/v1"\nenv_key = "GW_KEY"\n{retries}')
    return {"name": name, "files": {"home/.codex/config.toml": config},
            "variables": {"GW_KEY": "sk-test-env-0123456789abcdef0123"}}


def check_scenario(diagnose, case, version, recorder, want):
    with codex_run.Home(case, recorder.url) as home:
        report, status = ask(diagnose, home, "probe", version, case)
        target = report["targets"][0]
        if (target["diagnosis"], status == 0) != (want, want == "ok"):
            raise Differs(f"want {want}, have {target['diagnosis']} and exit {status}")
        if case["name"] == "sse_model_mismatch" and target["served_model"] != "gpt-5.2":
            raise Differs(f"the model that answered is {target['served_model']!r}")


def read_recordings():
    """The recordings. Newer versions give no line for some faults: then it is that of an older one's same words."""
    cases = []
    for name in ["codex.jsonl", "commands.jsonl", "styles.jsonl"]:
        with open(RECORDED / name, encoding="utf-8") as file:
            cases += [json.loads(line) for line in file]
    placed = {case["name"]: case for case in cases if "position" in case}
    for case in cases:
        other = placed.get(case["name"])
        if other and "refusal" in case and "position" not in case:
            words = re.sub(r"^\S+:\d+:\d+: ", "", other["refusal"][1])
            if words in "\n".join(case["refusal"]):
                case["position"] = other["position"]
    return cases


def extremes(case):
    """The newest and the oldest of the versions that did the same."""
    return sorted({case["versions"][0], case["versions"][-1]})


def read_scenarios():
    """{name: diagnosis}, one for each recorded answer."""
    with open(RECORDED / "scenarios.toml", "rb") as file:
        wanted = tomllib.load(file)
    with open(codex_recorder.SCENARIOS, encoding="utf-8") as file:
        assert set(wanted) == set(json.load(file)), "scenarios.toml does not fit server-scenarios.json"
    return wanted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("-k", default="", help="only recordings whose name holds this")
    args = parser.parse_args()
    diagnose = os.path.abspath(os.path.join(args.build, "diagnose"))
    cases = [case for case in read_recordings() if args.k in case["name"]]
    possible = [case for case in cases if codex_run.can_play(case)]
    counts = {"passed": 0, "failed": 0}

    def run(check, what, case, version, *more):
        try:
            check(diagnose, case, version, *more)
        except (Differs, subprocess.TimeoutExpired) as reason:
            return f"{case['name']}, {version}, {what}: {reason}"
        return None

    def count(results):
        for result in results:
            counts["failed" if result else "passed"] += 1
            if result:
                print("FAIL: " + result)
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool, \
            tempfile.TemporaryDirectory() as folder, codex_recorder.Recorder(folder) as recorder:
        count(pool.map(lambda pair: run(check_config, "config", *pair),
                       [(case, version) for case in possible for version in extremes(case)]))
        count(pool.map(lambda pair: run(check_verify, "verify", *pair),
                       [(case, version) for case in possible if "command" in case or "valid" in case
                        for version in case["versions"]]))
        count(pool.map(lambda item: run(check_scenario, "answer", scenario_case(item[0]), NEWEST, recorder, item[1]),
                       [item for item in read_scenarios().items() if args.k in item[0]]))
        count(run(check_probe, "probe", case, NEWEST, recorder) for case in possible
              if NEWEST in case["versions"] and "command" not in case and case.get("request", {}).get("url", "").startswith("{url}"))
    skipped = len(cases) - len(possible)
    print(f"{counts['passed']} passed, {counts['failed']} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
