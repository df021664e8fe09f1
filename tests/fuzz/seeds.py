#!/usr/bin/env python3
"""Seeds for the fuzzers out of tests/corpus.

usage: seeds.py OUT

Writes OUT/evidence and OUT/log: each piece of evidence with the byte in front that its fuzzer takes for its kind; for logs in
one of several wrappings.
"""
import json
import pathlib
import sys

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
WRAPPINGS = (
    lambda text: "2026-11-29T13:00:01Z ERROR app.llm: " + text.replace("\n", "\\n"),
    lambda text: "2026-11-29 13:00:01,123 - app - ERROR - " + text.replace("\n", "\n  "),
    lambda text: json.dumps({"ts": "2026-11-29T13:00:01Z", "level": "error", "message": text}),
    lambda text: json.dumps({"time": 1796043601000, "level": 50, "msg": text}, ensure_ascii=False),
    lambda text: "ts=2026-11-29T13:00:01Z level=error msg=" + json.dumps(text, ensure_ascii=False),
    lambda text: text,
)


def main():
    out = pathlib.Path(sys.argv[1])
    for name in ("evidence", "log"):
        (out / name).mkdir(parents=True, exist_ok=True)
    number = 0
    for file in sorted(CORPUS.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            body = json.loads(line)["body"] if line.strip() else ""
            (out / "evidence" / f"{number:04}").write_bytes(bytes([number % 256]) + body.encode())
            text = "2026-11-29T13:00:00Z INFO up\n" + WRAPPINGS[number % len(WRAPPINGS)](body) + "\nplain\n"
            (out / "log" / f"{number:04}").write_bytes(bytes([128]) + text.encode())
            number += 1


main()
