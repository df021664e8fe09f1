"""Compares what a run did with what its case expects, and with what holds for every run."""
import json
import re

from . import forms
from .play import SANITIZER

EXITS = {0, 1, 2, 3, 4, 5, 130}
# C0 but newline and tab, DEL, C1, bidirectional controls, separators, byte order mark.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
COLOR = re.compile("\x1b\\[[0-9;]*m")
PROGRESS = re.compile("\r|\x1b\\[[0-9]*[KG]")  # going back to overwrite a line
MISSING = object()


def story(run):
    """What a person needs to understand a failure."""
    def tail(stream):
        return stream.decode("utf-8", "backslashreplace")[-3000:].rstrip()
    lines = ["$ " + " ".join(run.command), f"exit {run.exit} after {run.elapsed_ms} ms"]
    lines += ["stdout: " + tail(run.stdout)] if run.stdout else []
    lines += ["stderr: " + tail(run.stderr)] if run.stderr else []
    return lines + [f"request: {json.dumps(request)}" for request in run.requests[:20]]


def judge(case, run):
    """List of differences; empty = passed."""
    differences = list(run.faults)
    differences += everywhere(run)
    expected = run.expected
    if run.exit != expected.get("exit", 0):
        differences.append(f"exit: {run.exit}, expected {expected.get('exit', 0)}")
    for stream in ("stdout", "stderr"):
        text = getattr(run, stream).decode("utf-8", "replace")
        differences += [f"{stream}: {what}" for what in compare_text(text, expected.get(stream, {}))]
    differences += structure(run, expected)
    differences += other_forms(run)
    differences += traffic(run, expected)
    for name, wanted in expected.get("writes", {}).items():
        content = run.written[name]
        if content is None:
            differences.append(f"{name}: was not written")
        else:
            differences += [f"{name}: {what}" for what in compare_text(content.decode("utf-8", "replace"), wanted)]
    if "within_ms" in expected and not run.is_wrapped and run.elapsed_ms > expected["within_ms"]:
        differences.append(f"took {run.elapsed_ms} ms, at most {expected['within_ms']}")
    return differences


def everywhere(run):
    if run.exit not in EXITS:
        yield f"exit: {run.exit} is none that the interface knows"
    files = list(run.written.items()) + list(run.forms.items())
    for name, raw in [("stdout", run.stdout), ("stderr", run.stderr)] + files:
        if raw is None:
            continue
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            yield f"{name}: not UTF-8: {error}"
            text = raw.decode("utf-8", "replace")
        for secret in run.secrets:
            if secret in text:
                yield f"{name}: holds the key {secret[:12]}..."
        if "always" in run.command or run.expected.get("tty"):
            text = COLOR.sub("", text)
        if run.expected.get("tty"):
            text = PROGRESS.sub("\n", text)
            wide = max(text.splitlines(), key=len, default="")
            if name == "stdout" and len(wide) > 80:
                yield f"{name}: wider than the terminal: {wide}"
        if unsafe := UNSAFE.search(text):
            yield f"{name}: raw control character U+{ord(unsafe.group()):04X} at {unsafe.start()}"
        if re.search(SANITIZER, text):
            yield f"{name}: a report of a sanitizer"


def other_forms(run):
    """What is wrong with the files in the other forms. Wrong usage leaves none, which Nagios is told by 3."""
    is_due = run.exit not in (4, 130, *([3] if "nagios" in run.expected.get("args", []) else []))
    texts = {form: None if raw is None else raw.decode("utf-8", "replace") for form, raw in run.forms.items()}
    yield from forms.check(texts, is_due)


def wants_json(run):
    args = run.command
    return "--json" in args or any(a == "--format" and b == "json" for a, b in zip(args, args[1:])) or \
        "--format=json" in args


def structure(run, expected):
    text = run.stdout.decode("utf-8", "replace")
    if wants_json(run) and "--help" not in run.command and "--output" not in run.command:
        if run.exit == 4 and not text:
            pass  # wrong usage: there was no run to report on
        else:
            yield from compare_json("stdout", text, expected.get("json", {}))
    elif "json" in expected:
        yield from compare_json("stdout", text, expected["json"])
    if "ndjson" in expected:
        lines = text.splitlines()
        if len(lines) != len(expected["ndjson"]):
            yield f"ndjson: {len(lines)} lines, expected {len(expected['ndjson'])}"
        for number, (line, wanted) in enumerate(zip(lines, expected["ndjson"]), 1):
            yield from compare_json(f"line {number}", line, wanted)


def compare_json(name, text, wanted):
    def no_twice(pairs):
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys):
            raise ValueError(f"a key stands twice among {keys}")
        return dict(pairs)
    try:
        document = json.loads(text, object_pairs_hook=no_twice)
    except ValueError as error:
        yield f"{name}: not JSON: {error}"
        return
    for path, value in wanted.items():
        have = pick(document, path.split("."))
        for what in compare_value(have, value):
            yield f"json {path}: {what}"


def pick(node, path):
    """What lies at a path; MISSING when nothing does."""
    for at, part in enumerate(path):
        if part == "#":
            node = len(node) if isinstance(node, (list, dict)) else MISSING
        elif part == "*":
            rest = [pick(item, path[at + 1:]) for item in node] if isinstance(node, list) else []
            return [item for item in rest if item is not MISSING]
        elif isinstance(node, list):
            node = node[int(part)] if part.isdigit() and int(part) < len(node) else MISSING
        elif isinstance(node, dict):
            node = node.get(part, MISSING)
        else:
            node = MISSING
    return node


def compare_value(have, wanted):
    shown = "absent" if have is MISSING else json.dumps(have, ensure_ascii=False)[:500]
    if not isinstance(wanted, dict):
        if have is MISSING or have != wanted or isinstance(have, bool) != isinstance(wanted, bool):
            yield f"{shown}, expected {json.dumps(wanted, ensure_ascii=False)}"
        return
    for key, value in wanted.items():
        held = {
            "is": lambda: have is (None if value == "null" else MISSING),
            "has": lambda: have is not MISSING and have is not None and all(v in have for v in listed(value)),
            "lacks": lambda: have is not MISSING and have is not None and not any(v in have for v in listed(value)),
            "match": lambda: isinstance(have, str) and re.search(value, have) is not None,
            "min": lambda: isinstance(have, (int, float)) and have >= value,
            "max": lambda: isinstance(have, (int, float)) and have <= value,
        }.get(key)
        if held is None:
            yield f"unknown comparison {key}"
        elif not held():
            yield f"{shown}, expected {key} {json.dumps(value, ensure_ascii=False)}"


def listed(value):
    return value if isinstance(value, list) else [value]


def compare_text(text, wanted):
    for part in listed(wanted.get("has", [])):
        if part not in text:
            yield f"lacks {part!r}"
    for part in listed(wanted.get("lacks", [])):
        if part in text:
            yield f"holds {part!r}"
    for form in listed(wanted.get("match", [])):
        if not re.search(form, text, re.M):
            yield f"nothing matches {form!r}"
    if "is" in wanted and text != wanted["is"]:
        yield f"is not {wanted['is']!r}"
    for key in set(wanted) - {"has", "lacks", "match", "is"}:
        yield f"unknown comparison {key}"


def traffic(run, expected):
    requests = run.requests
    if "requests" in expected and len(requests) != expected["requests"]:
        yield f"requests: {len(requests)}, expected {expected['requests']}"
    for number, wanted in enumerate(expected.get("seen", [])):
        have = requests[number] if number < len(requests) else {}
        for key, value in wanted.items():
            for what in compare_value(have.get(key, MISSING), value):
                yield f"request {number} {key}: {what}"
    if limits := expected.get("in_flight"):
        most = max((request["in_flight"] for request in requests), default=0)
        for what in compare_value(most, limits):
            yield f"in flight: {what}"
    if wanted := expected.get("at_once"):
        times = [request["time_ms"] for request in requests]
        most = max((sum(0 <= other - first < wanted["window_ms"] for other in times) for first in times), default=0)
        if most < wanted["min"]:
            yield f"at once: {most} requests within {wanted['window_ms']} ms, expected {wanted['min']}"
