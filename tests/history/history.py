#!/usr/bin/env python3
"""The history by real runs: what is imported, what happens to the store, what plain runs make of it.

usage: history.py [--build DIR] [-k TEXT]

Each function test_* of the files beside this one gets a home of its own. The last line is `N passed, N failed`.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
import imports  # noqa: E402
import logs  # noqa: E402
import recent  # noqa: E402
import since_last  # noqa: E402
import stores  # noqa: E402
import world  # noqa: E402

FILES = [imports, logs, recent, stores, since_last]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("-k", default="")
    args = parser.parse_args()
    diagnose = os.path.abspath(os.path.join(args.build, "diagnose"))
    tests = [test for file in FILES for name, test in vars(file).items() if name.startswith("test_")]
    passed, failed = world.run_all(tests, diagnose, args.k)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
