#!/usr/bin/env python3
"""Seeds for the fuzzers out of tests/corpus and tests/recorded.

usage: seeds.py OUT

Writes OUT/evidence and OUT/log: each piece of evidence with the byte in front that its fuzzer takes for its kind; for logs in
one of several wrappings. OUT/rollout: what each version of Codex recorded of each scenario. OUT/history_lines: records.
"""
import json
import pathlib
import sys

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
RECORDED = CORPUS.parent / "recorded"
WRAPPINGS = (
    lambda text: "2026-11-29T13:00:01Z ERROR app.llm: " + text.replace("\n", "\\n"),
    lambda text: "2026-11-29 13:00:01,123 - app - ERROR - " + text.replace("\n", "\n  "),
    lambda text: json.dumps({"ts": "2026-11-29T13:00:01Z", "level": "error", "message": text}),
    lambda text: json.dumps({"time": 1796043601000, "level": 50, "msg": text}, ensure_ascii=False),
    lambda text: "ts=2026-11-29T13:00:01Z level=error msg=" + json.dumps(text, ensure_ascii=False),
    lambda text: text,
)


LONG_EACH = 200  # they take a fuzzer a hundred times as long as others


def recorded(out):
    for name in ("rollout", "history_lines"):
        (out / name).mkdir(parents=True, exist_ok=True)
    for file in sorted(RECORDED.glob("rollout-*.jsonl")):
        scenarios = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            scenarios.setdefault(entry["scenario"], []).append(json.dumps(entry["line"], separators=(",", ":")) + "\n")
        for scenario, lines in scenarios.items():
            (out / "rollout" / f"{file.stem}-{scenario}").write_text("".join(lines), encoding="utf-8")
    record = {"at": "2026-11-29T13:00:00Z", "uid": "a", "who": "ann", "model": "gpt-x", "diagnosis": "capacity", "status": 503,
              "wait_ms": 30000, "host": "h", "client": "codex", "session_ms": 1, "context_tokens": 2, "limit_permille": 3}
    (out / "history_lines" / "whole").write_text(json.dumps(record) + "\n" + json.dumps({**record, "uid": "b"}) + "\n")
    (out / "history_lines" / "wrong").write_text('[1]\n{"uid":1}\n' + json.dumps({**record, "status": "x"}) + "\n")


def main():
    out = pathlib.Path(sys.argv[1])
    for name in ("evidence", "log"):
        (out / name).mkdir(parents=True, exist_ok=True)
    number = 0
    for file in sorted(CORPUS.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            body = json.loads(line)["body"] if line.strip() else ""
            (out / "evidence" / f"{number:04}").write_bytes(bytes([number % 256]) + body.encode())
            wrapped = WRAPPINGS[number % len(WRAPPINGS)](body)
            text = "2026-11-29T13:00:00Z INFO up\n" + wrapped + "\nplain\n"
            (out / "log" / f"{number:04}").write_bytes(bytes([128]) + text.encode())
            if number % LONG_EACH == 0:
                middle = wrapped.find(" ", len(wrapped) // 2)
                filled = wrapped[:middle] + " \x1a\x1a" + wrapped[middle:] + "\n"  # log_fuzz.c makes a long line of it
                (out / "log" / f"{number:04}-long").write_bytes(bytes([0]) + filled.encode())
            number += 1
    recorded(out)


main()
