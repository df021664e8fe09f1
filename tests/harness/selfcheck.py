"""Checks the checks: runs that are wrong in one way each must be judged wrong, and a right one right. Without this a
slip in the judge would let every case pass."""
import pathlib

from . import casefile, forms, judge, play


def run(block, **what):
    made = {"exit": 0, "stdout": b"", "stderr": b"", "requests": [], "written": {}} | what
    return play.Run(command=["diagnose"] + block.get("args", []), expected=block, home=pathlib.Path("/"),
                    secrets=play.KEYS, **made)


GOOD = b'{"a": [{"b": 1, "c": "xyz"}, {"b": 2, "c": null}], "d": true}'
# (what must be noticed, block, run); a None means that nothing may be.
JUDGEMENTS = [
    (None, {"args": ["--json"], "json": {"a.#": 2, "a.*.b": [1, 2], "a.1.c": {"is": "null"}, "e": {"is": "absent"},
                                         "a.0.c": {"has": "y", "lacks": "q", "match": "^x"}, "d": True,
                                         "a.0.b": {"min": 1, "max": 1}}}, {"stdout": GOOD}),
    ("exit: 2, expected 0", {}, {"exit": 2}),
    ("none that the interface knows", {"exit": -11}, {"exit": -11}),
    ("holds the key", {}, {"stderr": b"x" + play.KEY.encode()}),
    ("holds the key", {"writes": {"f": {}}}, {"written": {"f": play.OTHER_KEY.encode()}}),
    ("control character", {}, {"stdout": b"\x1b[31m"}),
    ("control character", {}, {"stdout": "\u202e".encode()}),
    ("control character", {}, {"stdout": "\u009b".encode()}),
    ("not UTF-8", {}, {"stdout": b"\xff"}),
    ("sanitizer", {}, {"stderr": b"==1==ERROR: AddressSanitizer: heap-use-after-free"}),
    ("sanitizer", {}, {"stderr": b"a.c:1:2: runtime error: signed integer overflow"}),
    ("not JSON", {"args": ["--format", "json"]}, {"stdout": b"{"}),
    ("twice", {"args": ["--json"]}, {"stdout": b'{"a":1,"a":2}'}),
    ("json a.0.b: 1", {"args": ["--json"], "json": {"a.0.b": 3}}, {"stdout": GOOD}),
    ("json a.0.b: 1", {"args": ["--json"], "json": {"a.0.b": True}}, {"stdout": GOOD}),
    ("json z.0: absent", {"args": ["--json"], "json": {"z.0": 1}}, {"stdout": GOOD}),
    ("expected is", {"args": ["--json"], "json": {"a.0.c": {"is": "null"}}}, {"stdout": GOOD}),
    ("expected has", {"args": ["--json"], "json": {"a.*.b": {"has": [1, 3]}}}, {"stdout": GOOD}),
    ("expected max", {"args": ["--json"], "json": {"a.0.b": {"max": 0}}}, {"stdout": GOOD}),
    ("unknown comparison", {"args": ["--json"], "json": {"a.0.b": {"about": 0}}}, {"stdout": GOOD}),
    ("2 lines, expected 1", {"ndjson": [{}]}, {"stdout": b"{}\n{}\n"}),
    ("lacks 'x'", {"stdout": {"has": ["x"]}}, {"stdout": b"y"}),
    ("holds 'x'", {"stderr": {"lacks": "x"}}, {"stderr": b"x"}),
    ("nothing matches", {"stdout": {"match": ["^x"]}}, {"stdout": b"yx"}),
    ("was not written", {"writes": {"f": {}}}, {"written": {"f": None}}),
    ("requests: 1, expected 0", {"requests": 0}, {"requests": [{"time_ms": 0, "in_flight": 1}]}),
    ("in flight: 1", {"in_flight": {"min": 2}}, {"requests": [{"time_ms": 0, "in_flight": 1}]}),
    ("at once: 1", {"at_once": {"min": 2, "window_ms": 9}}, {"requests": [{"time_ms": 0}, {"time_ms": 9}]}),
    ("request 0 model", {"seen": [{"model": "m"}]}, {"requests": [{"time_ms": 0, "model": "n"}]}),
    ("took 9 ms", {"within_ms": 8}, {"elapsed_ms": 9}),
]


SARIF = '{"version": "2.1.0", "runs": [{"tool": {"driver": {"rules": [{"id": "a"}]}}, "results": [%s]}]}'
PLACE = '{"ruleId": "a", "ruleIndex": 0, "message": {"text": "t"}, "locations": [{"physicalLocation": ' \
        '{"artifactLocation": {"uri": "%s"}, "region": {"startLine": %d}}}]}'
STAMP = 'diagnose_last_run_timestamp_seconds{command="x"} 1\n'
# (what must be noticed, form, its text); a None means that nothing may be.
FORMS = [
    ("not written", "tap", None),
    ("ParseError", "junit", "<testsuites>&</testsuites>"),
    ("failures is 1", "junit", '<testsuites tests="0" failures="1" errors="0" skipped="0"/>'),
    ("1 tests of 2", "tap", "TAP version 13\n1..2\nok 1 - a\n"),
    ("test 1", "tap", "TAP version 13\n1..1\nok 1 - a # b\n"),
    ("in a block", "tap", "TAP version 13\n1..1\nok 1 - a\n  ---\nok 2 - b\n"),
    (None, "tap", "TAP version 13\n1..1\nnot ok 1 - a \\# b # SKIP c\n  ---\n  m: 1\n  ...\n"),
    ("JSONDecodeError", "sarif", "{"),
    ("place", "sarif", SARIF % (PLACE % ("a b", 1))),
    ("place", "sarif", SARIF % (PLACE % ("a", 0))),
    (None, "sarif", SARIF % (PLACE % ("a%20b", 1))),
    ("no annotation", "github", "::error file=a:title=b::c\n"),
    ("no annotation", "github", "::error title=b::c\nd\n"),
    ("more than ten", "github", "::error title=b::c\n" * 11),
    (None, "github", "::error file=a%3A,line=1,col=2,title=b::c::d\n"),
    ("no status", "nagios", "DIAGNOSE FINE - a\n"),
    ("no status", "nagios", "DIAGNOSE OK - a | b\n"),
    ("no status", "nagios", "DIAGNOSE OK - a | 'b=c'=1s\n"),
    ("bar", "nagios", "DIAGNOSE OK - a | 'b'=1s;;;0\nc|d\n"),
    (None, "nagios", "DIAGNOSE OK - a | 'b c'=1.5s;;;0 'd'=2\nc\n"),
    ("series", "prometheus", "# TYPE diagnose_a gauge\n" + 'diagnose_a{b="c"} 1\n' * 2),
    ("no sample", "prometheus", '# TYPE diagnose_a gauge\ndiagnose_a{b="c"d"} 1\n'),
    ("comes twice", "prometheus", "# TYPE diagnose_a gauge\n# TYPE diagnose_b gauge\n# TYPE diagnose_a gauge\n"),
    ("when the run", "prometheus", "# TYPE diagnose_a gauge\n"),
    (None, "prometheus", "# TYPE diagnose_last_run_timestamp_seconds gauge\n" + STAMP),
    ("cells", "markdown", "| a | b | c | d | e | f | g |\n"),
    ("markup", "markdown", "<b>\n"),
    ("markup", "markdown", "[a](b)\n"),
    (None, "markdown", "| a | `b\\|<c>` | `` d` `` | e | f\\| | g |\n@<!-- -->x \\[a\\]\\(b\\)\n"),
]


def selfcheck_forms():
    for wanted, form, text in FORMS:
        said = list(forms.check({form: text}, True))
        if (said and wanted is None) or (wanted is not None and not any(wanted in line for line in said)):
            yield f"the form {form} of {text!r} was called {said}, wanted {wanted!r}"
    for args, is_report in ((["--json"], True), (["classify", "-"], True), (["-"], True), (["pick"], False),
                            (["--config", "x", "demo"], True), (["demo", "--serve"], False), (["--help"], False)):
        if bool(forms.options(args, "/")) != is_report:
            yield f"{args} is taken for a run with{'out' if is_report else ''} a report"


def selfcheck():
    """(number of checks, list of what went wrong)."""
    wrong = list(selfcheck_forms())
    for wanted, block, what in JUDGEMENTS:
        said = judge.judge(None, run(block, **what))
        if (said and wanted is None) or (wanted is not None and not any(wanted in line for line in said)):
            wrong.append(f"the judge said {said} of {what}, wanted {wanted!r}")
    filled = casefile.fill({"{a}": ["{a}{b}", '{"x":{}}']}, {"a": "1"})
    if filled != {"1": ["1{b}", '{"x":{}}']}:
        wrong.append(f"words are filled in as {filled}")
    if casefile.combinations({"a": [1, 2], "b": [3]}) != [{"a": 1, "b": 3}, {"a": 2, "b": 3}]:
        wrong.append("combinations are wrong")
    return len(JUDGEMENTS) + len(FORMS) + 9, wrong
