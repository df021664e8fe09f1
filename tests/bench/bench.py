#!/usr/bin/env python3
"""Figures, not tests: start-up against an empty program with the same libraries, and 100 targets in one run.

usage: bench.py --build DIR [--rounds N]

Both programs of a comparison run in turn, so that a busy machine slows both; the figure is the ratio of medians.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time

EMPTY = "int main(void)\n{\n    return 0;\n}\n"


def run(command, env=None):
    """(seconds, peak resident KiB, exit status) of one run without output."""
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, env or os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)])
    _, status, usage = os.wait4(pid, 0)
    return time.perf_counter() - start, usage.ru_maxrss, os.waitstatus_to_exitcode(status)


def linked_like(diagnose, folder):
    """An empty program that loads the very libraries that diagnose names."""
    needed = [line.split("[")[1].split("]")[0]
              for line in subprocess.check_output(["readelf", "-d", diagnose], text=True).splitlines()
              if "(NEEDED)" in line]
    source, program = os.path.join(folder, "empty.c"), os.path.join(folder, "empty")
    with open(source, "w", encoding="utf-8") as out:
        out.write(EMPTY)
    subprocess.check_call([os.environ.get("CC", "cc"), "-O2", "-Wl,--no-as-needed", source, "-o", program] +
                          [f"-l:{name}" for name in needed])
    return program


def start_up(diagnose, rounds, folder):
    empty = linked_like(diagnose, folder)
    ours, theirs = [], []
    for _ in range(rounds):
        theirs.append(run([empty])[0])
        ours.append(run([diagnose, "--version"])[0])
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"start-up: diagnose --version {a * 1e3:.2f} ms, empty program with its libraries {b * 1e3:.2f} ms, "
          f"ratio {a / b:.2f} (goal 1.25), {rounds} rounds in turn")


def hundred_targets(diagnose, folder):
    script = os.path.join(folder, "script.toml")
    with open(script, "w", encoding="utf-8") as out:
        out.write('[[reply]]\nhealthy = "chat"\ndelay_ms = 200\n')
    server = subprocess.Popen([diagnose, "demo", "--serve", "--script", script], stdout=subprocess.PIPE, text=True)
    url = next(word for word in server.stdout.readline().split() if word.startswith("http://"))
    config = os.path.join(folder, "config.toml")
    with open(config, "w", encoding="utf-8") as out:
        for n in range(100):
            out.write(f'[[target]]\nname = "t{n}"\nbase_url = "{url}/v1"\nwire = "chat"\nmodel = "m{n}"\n')
    env = {"PATH": os.environ["PATH"], "HOME": folder}
    seconds, peak_kib, status = run([diagnose, "probe", "--config", config, "--per-host", "0"], env)
    server.terminate()
    server.communicate()
    print(f"100 targets of 200 ms each: {seconds:.2f} s, peak {peak_kib / 1024:.1f} MB (goal under 30), exit {status}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=200)
    args = parser.parse_args()
    diagnose = os.path.abspath(os.path.join(args.build, "diagnose"))
    folder = tempfile.mkdtemp(prefix="diagnose-bench-")
    try:
        start_up(diagnose, args.rounds, folder)
        hundred_targets(diagnose, folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
