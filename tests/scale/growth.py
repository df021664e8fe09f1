#!/usr/bin/env python3
"""Work that no input may make grow out of hand, in instructions counted under valgrind.

usage: growth.py --build DIR

The last line is `N passed, N failed`.
"""
import argparse
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
from harness.instructions import count  # noqa: E402

TARGETS = 250
GROWTH_MAX = 2.4  # twice as much more takes twice as much more work; where each is compared with each it takes four times
ENTRY_LINES = 4000  # more than one block of input
FILTER_MAX = 3
LINE_BYTES = 2048  # and twice and four times as many, of which each is looked at
PASTE_BYTES = 12000  # the same


def targets(number, kind):
    """A configuration of so many targets that have one kind of trouble, each for itself: nothing is sent."""
    kinds = {"no key": 'base_url = "https://h.example/v1"\nkey_env = "NONE_{n}"', "no scheme": 'base_url = "h{n}.example/v1"'}
    return "".join(f'[[target]]\nname = "t{n}"\nmodel = "m{n}"\nwire = "chat"\n{kinds[kind].format(n=n)}\n' for n in range(number))


def work_of_targets(diagnose, folder):
    """It grows with their number."""
    path = folder / "targets.toml"
    for kind, command in (("no key", "probe"), ("no key", "check"), ("no scheme", "check"), ("no scheme", "verify")):
        counts = []
        for number in (TARGETS, 2 * TARGETS, 4 * TARGETS):
            path.write_text(targets(number, kind), encoding="utf-8")
            counts.append(count([diagnose, command, "--json", "--no-history", "--config", path], folder))
        growth = (counts[2] - counts[1]) / (counts[1] - counts[0])
        yield growth < GROWTH_MAX, f"{command} of targets with {kind}: {counts} instructions, a growth of {growth:.2f}"


def work_of_the_filter(diagnose, folder):
    """Lines without a beginning in sight, each with words of failures: the filter may help little, but costs not much more than it
    saves."""
    path = folder / "endless.log"
    for unit in ("  at capacity rate limit exceeded\n", "app-1  |   at capacity rate limit exceeded\n",
                 "  at capacity rate limit exceeded\n  HTTP 429\n"):
        path.write_text(unit * ENTRY_LINES, encoding="utf-8")
        command = [diagnose, "classify", "--input", "log", "--threads", "1", path]
        quick, slow = count(command, folder), count([*command, "--no-prefilter"], folder)
        yield quick < FILTER_MAX * slow, f"an endless entry of {unit!r}: {quick} instructions, {slow} without the filter"


def work_of_words(diagnose, folder):
    """Of a long line it grows with its length, whatever word stands there again and again."""
    path = folder / "words.log"
    for unit in ("path=/", "url=/?", "model:", "error if "):
        counts = []
        for length in (LINE_BYTES, 2 * LINE_BYTES, 4 * LINE_BYTES):
            words = (unit * length)[:length - 100]
            path.write_text(f"2026-11-29T13:00:00Z ERROR rate limit exceeded {words}\n" * 8, encoding="utf-8")
            counts.append(count([diagnose, "classify", "--input", "log", "--threads", "1", path], folder))
        growth = (counts[2] - counts[1]) / (counts[1] - counts[0])
        yield growth < GROWTH_MAX, f"a line of {unit!r}: {counts} instructions, a growth of {growth:.2f}"


def work_of_pastes(diagnose, folder):
    """Of a paste it grows with its length, whatever it repeats."""
    path = folder / "paste"
    for unit in ("4", "1234567890", "401 ", "failed 401 ", "(401, '", "a:1:", "\"", "+a\n", "- 429: x\n", "{\"error\":", "a b. ", "如果"):
        counts = []
        for length in (PASTE_BYTES, 2 * PASTE_BYTES, 4 * PASTE_BYTES):
            path.write_text(unit * (length // len(unit)), encoding="utf-8")
            counts.append(count([diagnose, "classify", "--input", "text", "--no-history", path], folder))
        growth = (counts[2] - counts[1]) / (counts[1] - counts[0])
        yield growth < GROWTH_MAX, f"a paste of {unit!r}: {counts} instructions, a growth of {growth:.2f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    diagnose = pathlib.Path(parser.parse_args().build, "diagnose").resolve()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="diagnose-growth-") as folder:
        for part in (work_of_targets, work_of_the_filter, work_of_words, work_of_pastes):
            for is_passed, about in part(diagnose, pathlib.Path(folder)):
                passed, failed = passed + is_passed, failed + (not is_passed)
                if not is_passed:
                    print(f"failed: {about}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
