"""Reads case files: TOML in, a list of cases out, one for every combination of `each`. Nothing is run here."""
import dataclasses
import itertools
import pathlib
import re
import tomllib

KEYS = {"name", "about", "each", "args", "stdin", "stdin_hex", "config", "targets", "target", "files", "env", "secrets",
        "cwd", "before", "running", "as_nobody", "tty", "interrupt", "stdout_to", "server", "servers", "nginx", "nginx_http", "raw", "tls", "closed", "exit", "json", "ndjson",
        "stdout", "stderr", "writes", "requests", "seen", "in_flight", "at_once", "within_ms"}


@dataclasses.dataclass
class Case:
    file: str
    name: str
    block: dict
    words: dict
    fault: str = ""  # why it cannot be run


def fill(value, words):
    """value with {word} replaced in all its strings and keys; braces around anything else stay."""
    if isinstance(value, str):
        return re.sub(r"\{([A-Za-z_0-9+-]+)\}", lambda m: str(words.get(m.group(1), m.group(0))), value)
    if isinstance(value, list):
        return [fill(item, words) for item in value]
    if isinstance(value, dict):
        return {fill(key, words): fill(item, words) for key, item in value.items()}
    return value


def combinations(each):
    if isinstance(each, list):
        return each
    return [dict(zip(each, values)) for values in itertools.product(*each.values())]


def whole_word(value, words):
    """A value that is nothing but one word keeps the word's type, so `exit = "{exit}"` is a number."""
    if isinstance(value, dict):
        return {key: whole_word(item, words) for key, item in value.items()}
    match = re.fullmatch(r"\{([a-z_0-9]+)\}", value) if isinstance(value, str) else None
    return words.get(match.group(1), value) if match else value


def load(path):
    path = pathlib.Path(path)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return [Case(path.name, "reading the file", {}, {}, str(error))]
    cases = []
    for block in document.get("case", []):
        unknown = set(block) - KEYS
        for words in combinations(block.get("each", {})) or [{}]:
            filled = {key: whole_word(value, words) for key, value in block.items() if key != "each"}
            name = fill(block.get("name", "without a name"), words)
            if words and name == block.get("name"):
                name += " (" + ", ".join(str(value) for value in words.values()) + ")"
            fault = f"unknown keys: {', '.join(sorted(unknown))}" if unknown else ""
            if any(name == case.name for case in cases):
                fault = "another case has this name"
            cases.append(Case(path.name, name, filled, words, fault))
    if not cases or set(document) - {"case"}:
        cases.append(Case(path.name, "reading the file", {}, {}, "a case file holds blocks [[case]] and nothing else"))
    return cases
