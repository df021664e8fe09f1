#!/usr/bin/env python3
"""Instructions that three fixed jobs take, counted by callgrind: a check that no load of the machine disturbs.

usage: instructions.py --build DIR [--write]

Compares with instructions.json; +5 % is a warning, +20 % an error. --write makes the new counts the ones to compare with, for
commits that are meant to change them.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness.instructions import count  # noqa: E402

KEPT = HERE / "instructions.json"
WARNING, ERROR = 1.05, 1.20


def jobs(build, folder):
    diagnose = str(build / "diagnose")
    paste, cases, log = (os.path.join(folder, name) for name in ("paste", "cases", "log"))
    corpus = [json.loads(line) for line in (HERE.parent / "corpus/given.jsonl").read_text(encoding="utf-8").splitlines()]
    pathlib.Path(paste).write_text("Selected model is at capacity. Please try a different model.\n", encoding="utf-8")
    pathlib.Path(cases).write_text("".join(
        json.dumps({"id": case["id"], "kind": "text", "body": case["body"]}, ensure_ascii=False) + "\n" for case in corpus),
        encoding="utf-8")
    with open(log, "wb") as out:
        subprocess.check_call([str(build / "loggen"), "16", "1000", "1"], stdout=out)
    return {"paste": [diagnose, "classify", paste], "ndjson": [diagnose, "classify", "--ndjson", cases],
            "log": [diagnose, "classify", "--threads", "1", "--format", "ndjson", log]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    counts, worst = {}, 0
    with tempfile.TemporaryDirectory(prefix="diagnose-callgrind-") as folder:
        for name, command in jobs(pathlib.Path(args.build).resolve(), folder).items():
            counts[name] = count(command, folder)
            ratio = counts[name] / kept.get(name, counts[name])
            worst = max(worst, ratio)
            word = "error" if ratio > ERROR else "warning" if ratio > WARNING else "ok"
            print(f"{word}: {name}: {counts[name] / 1e6:.1f} million instructions, {100 * (ratio - 1):+.1f} %")
    if args.write:
        KEPT.write_text(json.dumps(counts, indent=1) + "\n")
        return 0
    return 1 if worst > ERROR else 0


if __name__ == "__main__":
    sys.exit(main())
