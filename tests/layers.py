#!/usr/bin/env python3
"""Checks what the design forbids in src/, by reading it: the order of includes, libraries out of their room, long files
and functions, banned functions, mutable state, diagnoses named in C, tables out of order.

usage: layers.py [SRC]

Each law is checked on each file it applies to; the last line counts these checks. Comments and strings are taken out
first, so prose may speak of what code may not do.
"""
import pathlib
import re
import sys

# Rooms from left to right; a room includes only rooms to its left and itself, rooms of one place do not see each other.
STREET = ["base", "core", "syntax", "rules", "wire", "config input probe serve", "classify", "triage history", "report",
          "cli", "bake main"]
PLACE = {room: place for place, rooms in enumerate(STREET) for room in rooms.split()}

# Libraries, and who alone may include them.
LIBRARIES = {
    r"curl/": {"probe", "config", "cli"},
    r"pcre2\.h": {"classify", "cli"},
    r"microhttpd\.h": {"serve", "cli"},
    r"sqlite3\.h": {"history", "config", "cli"},
    r"openssl/": {"base", "probe", "config", "cli"},
}
BANNED = ["strcpy", "strcat", "sprintf", "vsprintf", "strtok", "atoi", "atol", "atof", "gets", "alloca"]
# The world outside: only the entry point and the struct that stands for it may look.
WORLD = ["getenv", "secure_getenv", "exit", "time", "gettimeofday", "clock_gettime"]
WORLD_FILES = {"main.c", "base/env.c"}
FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 50


def stripped(text):
    """text with comments blanked and strings emptied; line breaks stay where they are."""
    def blank(match):
        found = match.group(0)
        if found[0] in "\"'":
            return found[0] * 2
        return re.sub(r"[^\n]", " ", found)
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def room_of(name):
    return name.split("/")[0] if "/" in name else "main"


def includes_only_leftward(name, text, _):
    room = room_of(name)
    for line, target in included(text, r'"([^"]+)"'):
        other = room_of(target)
        if other not in PLACE:
            yield line, f'"{target}" is in no room'
        elif other != room and PLACE[other] >= PLACE[room]:
            yield line, f'{room} must not see "{target}"'


def included(text, form):
    for match in re.finditer(r"^[ \t]*#[ \t]*include[ \t]*" + form, text, re.M):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


def keeps_libraries_in_their_room(name, text, _):
    for line, header in included(text, r"<([^>]+)>"):
        for form, rooms in LIBRARIES.items():
            if re.match(form, header) and room_of(name) not in rooms:
                yield line, f"<{header}> belongs to {', '.join(sorted(rooms))}"


def is_short(_, text, __):
    lines = text.count("\n")
    if lines > FILE_LINES_MAX:
        yield lines, f"{lines} lines, at most {FILE_LINES_MAX}"


def calls(code, names):
    for match in re.finditer(r"(?<![\w.>])(" + "|".join(names) + r")\s*\(", code):
        yield code.count("\n", 0, match.start()) + 1, match.group(1)


def calls_nothing_banned(_, __, code):
    for line, function in calls(code, BANNED):
        yield line, f"{function}() is banned"


def leaves_the_world_to_env(name, _, code):
    if name not in WORLD_FILES:
        for line, function in calls(code, WORLD):
            yield line, f"{function}() is for {' and '.join(sorted(WORLD_FILES))} only"


def blocks(code):
    """Top-level pieces of code: (line, text before the brace or semicolon, body or "")."""
    code = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), code, flags=re.M)
    depth, start, open_at = 0, 0, -1
    for at, char in enumerate(code):
        if char == "{":
            if depth == 0 and open_at < start:
                open_at = at
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0 and not re.match(r"\s*(?:;|,|[\w\[*]|__attribute__)", code[at + 1:at + 40]):
                yield piece(code, start, open_at, at)
                start = at + 1
            elif depth == 0 and code[start:open_at].rstrip().endswith(")"):
                yield piece(code, start, open_at, at)
                start = at + 1
        elif char == ";" and depth == 0:
            head_end = open_at if open_at >= start else at
            yield piece(code, start, head_end, at)
            start = at + 1


def piece(code, start, head_end, end):
    head = code[start:head_end]
    lead = len(head) - len(head.lstrip())
    return code.count("\n", 0, start + lead) + 1, " ".join(head.split()), code[head_end:end]


def holds_no_mutable_state(name, _, code):
    if not name.endswith(".c"):
        return
    for line, head, body in blocks(code):
        is_function = re.search(r"\)\s*(__attribute__.*)?$", head.split("=")[0].rstrip()) and "=" not in head
        is_type = re.match(r"(typedef|struct \w+$|union \w+$|enum( \w+)?$|extern\b)", head)
        if not is_function and not is_type and head and not is_constant(head):
            yield line, f"mutable at file scope: {head[:60]}"
        if is_function:
            for match in re.finditer(r"\bstatic\b([^;={(]*)", body):
                if not is_constant(match.group(1)):
                    yield line + body.count("\n", 0, match.start()), f"mutable static: {match.group(0).strip()[:60]}"


def is_constant(declaration):
    """True when what is declared cannot change: `const` behind the last star, or no star and `const` at all."""
    declared = declaration.split("=")[0]
    if "(" in declared:  # a pointer to functions
        return re.search(r"\(\s*\*\s*const\b", declared) is not None or "_Static_assert" in declared
    return re.search(r"\bconst\b", declared.rsplit("*", 1)[-1]) is not None


def keeps_functions_on_a_screen(name, _, code):
    if not name.endswith(".c"):
        return
    for line, head, body in blocks(code):
        if body.startswith("{") and head.endswith(")") and "=" not in head:
            length = body.count("\n")
            if length > FUNCTION_LINES_MAX:
                yield line, f"{head.split('(')[0].split()[-1]}() takes {length} lines, at most {FUNCTION_LINES_MAX}"


def is_guarded(name, text, _):
    guard = re.sub(r"\W", "_", name).upper()
    if name.endswith(".h") and not re.match(rf"#ifndef {guard}\n#define {guard}\n", text):
        yield 1, f"a header begins with #ifndef {guard}, #define {guard}"


def says_what_functions_give(name, text, code):
    """A function of a header has a comment in its paragraph: its own, or one that it shares with its neighbours."""
    lines = text.split("\n")
    for line, head, body in blocks(code):
        if name.endswith(".h") and re.search(r"[\w*] ?\**\w+\(.*\)", head) and not re.match(r"_Static_assert|struct \w+$", head):
            first, last = line, line + body.count("\n")
            while lines[first - 2].strip():
                first -= 1
            if "/*" not in "\n".join(lines[first - 1:last + 1]):
                yield line, f"no comment says what it gives: {head[:60]}"


def keeps_rows_apart(name, text, _):
    """A table has no row twice; in one that says so, each kind's stand in the order of their bytes."""
    rows = re.findall(r"^(\w+)\((.*)\)", text, re.M) if name.endswith(".def") else []
    is_ordered = "each kind in the order of its bytes" in text
    for number, (kind, row) in enumerate(rows):
        above = [other for its_kind, other in rows[:number] if its_kind == kind]
        if row in above:
            yield 1, f"{kind}({row}) stands there twice"
        elif is_ordered and above and row.encode() < above[-1].encode():
            yield 1, f"{kind}({row}) stands behind {kind}({above[-1]})"


LAWS = [includes_only_leftward, keeps_libraries_in_their_room, is_short, calls_nothing_banned, leaves_the_world_to_env,
        holds_no_mutable_state, keeps_functions_on_a_screen, is_guarded, says_what_functions_give, keeps_rows_apart]


def names_no_diagnosis(path, text, ids):
    """What a diagnosis means is data: no C code holds the id of one. Ids of one word are left out, being words."""
    code = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    for match in re.finditer(r'"([a-z]+(?:_[a-z]+)+)"', code):
        if match.group(1) in ids:
            yield code.count("\n", 0, match.start()) + 1, f"the diagnosis {match.group(1)} is named in code"


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "src")
    table = source.parent / "rules" / "diagnoses.toml"
    ids = set(re.findall(r'^id = "([^"]+)"', table.read_text(encoding="utf-8"), re.M)) if table.exists() else set()
    passed = failed = 0
    files = sorted(path for path in source.rglob("*") if path.suffix in (".c", ".h", ".def"))
    for path in files:
        name = path.relative_to(source).as_posix()
        text = path.read_text(encoding="utf-8")
        code = stripped(text)
        for law in LAWS + [lambda n, t, _: names_no_diagnosis(n, t, ids)]:
            broken = list(law(name, text, code))
            passed, failed = (passed, failed + 1) if broken else (passed + 1, failed)
            for line, what in broken:
                print(f"src/{name}:{line}: {what}")
    if not files:
        failed += 1
        print(f"no sources under {source}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
