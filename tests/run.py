#!/usr/bin/env python3
"""Runs the black-box cases: the real binary, real sockets, a home of its own for each case.

usage: run.py [--build DIR] [--wrap CMD] [-k TEXT] [-j N] [-v] [CASE_FILE...]

A case file is TOML with blocks [[case]]; tests/cases/README.md says what a block may hold. Whatever a case expects, all
that it prints must be UTF-8 without control characters or keys, JSON where JSON was asked for, and free of reports of
sanitizers. The runner checks itself first, which counts as well. The last line is `N passed, N failed`, with
`, N skipped` when something that a case needs is not here.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import signal
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from harness import casefile, judge, play, selfcheck  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description="Runs the black-box cases.")
    parser.add_argument("--build", default="build", help="folder with the binary (default: build)")
    parser.add_argument("--wrap", default="", help='run the binary under this, as "valgrind -q --error-exitcode=99"')
    parser.add_argument("-k", default="", metavar="TEXT", help="only cases whose file or name holds TEXT")
    parser.add_argument("-j", type=int, default=2 * (os.cpu_count() or 1), metavar="N", help="cases at a time")
    parser.add_argument("--forms", type=pathlib.Path, metavar="DIR", help="keep the files of every case in each form")
    parser.add_argument("-v", action="store_true", help="name every case")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    return parser.parse_args()


def wrapper(command):
    """The words of a wrapping command; its program by the runner's PATH, for a case may have one of its own."""
    words = shlex.split(command)
    return [shutil.which(words[0]) or words[0], *words[1:]] if words else []


def run_case(case, setting):
    """("passed" | "failed" | "skipped", text) of one case."""
    if case.fault:
        return "failed", case.fault
    try:
        run = play.play(case, setting)
    except play.Skip as reason:
        return "skipped", str(reason)
    except (play.Broken, OSError) as reason:
        return "failed", str(reason)
    differences = judge.judge(case, run)
    if not differences:
        return "passed", ""
    return "failed", "\n".join(differences + judge.story(run))


def main():
    # Started in the background, SIGINT comes ignored, and programs would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    args = options()
    raw = play.RawPeer(HERE / "peers")
    setting = play.Setting(binary=pathlib.Path(args.build).resolve() / "diagnose", wrap=wrapper(args.wrap),
                           nginx=play.find_nginx(pathlib.Path(args.build).resolve()), peers=HERE / "peers", raw=raw,
                           kept_forms=args.forms)
    if not os.access(setting.binary, os.X_OK):
        print(f"no binary at {setting.binary}\n0 passed, 1 failed")
        return 1
    if args.forms:
        args.forms.mkdir(parents=True, exist_ok=True)
        for old in args.forms.glob("*.*"):
            old.unlink()
    files = args.files or sorted((HERE / "cases").glob("*.case"))
    cases = [case for file in files for case in casefile.load(file) if args.k in f"{case.file}: {case.name}"]
    checks, wrong = selfcheck.selfcheck()
    print("".join(f"failed: the runner itself: {what}\n" for what in wrong), end="")
    count = {"passed": checks - len(wrong), "failed": len(wrong), "skipped": 0}
    with raw, concurrent.futures.ThreadPoolExecutor(max_workers=max(1, args.j)) as pool:
        for case, (status, text) in zip(cases, pool.map(lambda case: run_case(case, setting), cases)):
            count[status] += 1
            if status != "passed" or args.v:
                print(f"{status}: {case.file}: {case.name}" + (f": {text}" if status == "skipped" else ""), flush=True)
            if status == "failed":
                print(re.sub(r"^", "    ", text, flags=re.M), flush=True)
    line = f"{count['passed']} passed, {count['failed']} failed"
    print(line + (f", {count['skipped']} skipped" if count["skipped"] else ""))
    return 1 if count["failed"] or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
