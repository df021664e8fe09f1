#!/usr/bin/env python3
"""Figures of classify: logs and NDJSON, against the programs that people know.

usage: scans.py --build DIR [--rounds N] [--json FILE]; LOGS_MIB=256 is the size of the log

All commands of a comparison run in turn, so that a busy machine slows all; a figure is the ratio of medians, of wall clock
and of processor time. Output goes to a file, as GNU grep and others stop early at /dev/null. Needs jq and ripgrep.
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib

import table

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ROUNDS = 5
MIB = int(os.environ.get("LOGS_MIB", "256"))
UNFILTERED_MIB = 4
NDJSON_COPIES = 20


# A process of its own starts what is measured: what this one takes would count as its child's memory.
STARTER = """
import os, sys, time
start = time.perf_counter()
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
    (os.POSIX_SPAWN_OPEN, 1, sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
usage = os.wait4(pid, 0)[2]
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


def run(command, out):
    """(seconds, processor seconds, peak KiB) of one run; its output goes to a file."""
    words = subprocess.check_output([sys.executable, "-S", "-c", STARTER, out,
                                     shutil.which(command[0]) or command[0], *command[1:]], text=True).split()
    return float(words[0]), float(words[1]), int(words[2])


class Bench:
    def __init__(self, build, rounds, folder):
        self.diagnose, self.build = str(build / "diagnose"), build
        self.folder, self.rounds, self.rows = folder, rounds, []
        self.out = str(folder / "out")

    def path(self, name):
        return str(self.folder / name)

    def generate(self, name, mib, failing, seed):
        with open(self.path(name), "wb") as file:
            subprocess.check_call([str(self.build / "loggen"), str(mib), str(failing), str(seed)],
                                  stdout=file)

    def medians(self, jobs, rounds):
        """{name: (bytes a second, bytes a processor second, seconds, peak KiB)} of jobs {name: (command, bytes)}."""
        runs = {name: [] for name in jobs}
        for _ in range(rounds):
            for name, (command, _) in jobs.items():
                runs[name].append(run(command, self.out))
        return {name: (jobs[name][1] / statistics.median(r[0] for r in these),
                       jobs[name][1] / max(1e-4, statistics.median(r[1] for r in these)),
                       statistics.median(r[0] for r in these), max(r[2] for r in these))
                for name, these in runs.items()}

    def row(self, *args, **more):
        self.rows.append(table.Row(*args, **more))

    def ratio(self, what, figures, ours, theirs, must, aim, note=""):
        cpu = f"by CPU time {figures[ours][1] / figures[theirs][1]:.3g}"
        self.row(what, figures[ours][0] / figures[theirs][0], must, aim, "; ".join(part for part in (cpu, note) if part))


def literals(folder):
    words = {word for file in sorted((ROOT / "rules").glob("*.toml"))
             for rule in tomllib.loads(file.read_text(encoding="utf-8")).get("rule", []) for word in rule.get("keywords", [])}
    (folder / "literals").write_text("\n".join(sorted(words)) + "\n", encoding="utf-8")
    return len(words)


def corpus():
    return [json.loads(line) for file in sorted((ROOT / "tests/corpus").glob("*.jsonl"))
            for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def real_log(bench, mib):
    """Ordinary lines, and one in a hundred a real failure out of the corpus."""
    bodies = [case["body"].replace("\n", "\\n") for case in corpus()]
    bench.generate("plain.log", mib, 0, 9)
    with open(bench.path("plain.log"), "rb") as source, open(bench.path("real.log"), "wb") as out:
        for number, line in enumerate(source):
            out.write(line)
            if number % 100 == 0:
                out.write(f"2026-11-29T13:00:01Z ERROR app: {bodies[number // 100 % len(bodies)]}\n".encode())


def scans(bench):
    size = lambda name: os.path.getsize(bench.path(name))
    bench.generate("c1.log", MIB, 1000, 2)
    bench.generate("c20.log", MIB, 20000, 3)
    real_log(bench, max(1, MIB // 4))
    with open(bench.path("c1.log"), "rb") as source:
        part = source.read(UNFILTERED_MIB << 20)
    pathlib.Path(bench.path("slice.log")).write_bytes(part[:part.rindex(b"\n") + 1])
    count = literals(bench.folder)
    ours = [bench.diagnose, "classify", "--input", "log", "--format", "ndjson", "--threads"]
    jobs = {name: (command, size(log)) for name, log, command in (
        ("wc", "c1.log", ["wc", "-l", bench.path("c1.log")]),
        ("one", "c1.log", [*ours, "1", bench.path("c1.log")]),
        ("two", "c1.log", [*ours, "2", bench.path("c1.log")]),
        ("rg", "c1.log", ["rg", "-c", "-i", "-F", "-f", bench.path("literals"), bench.path("c1.log")]),
        ("twenty", "c20.log", [*ours, "1", bench.path("c20.log")]),
        ("real wc", "real.log", ["wc", "-l", bench.path("real.log")]),
        ("real", "real.log", [*ours, "1", bench.path("real.log")]))}
    figures = bench.medians(jobs, bench.rounds)
    figures.update(bench.medians({"all": ([*ours, "1", "--no-prefilter", bench.path("slice.log")], size("slice.log"))}, 1))
    bench.ratio("scan, 1 thread, against wc -l", figures, "one", "wc", 0.2, 0.75, f"{figures['one'][0] / 1e6:.0f} MB/s")
    bench.ratio("scan, 2 threads, against wc -l", figures, "two", "wc", 0.35, 1.25, f"{figures['two'][0] / 1e6:.0f} MB/s")
    bench.ratio(f"scan, 1 thread, against rg -c -i -F -f {count} literals", figures, "one", "rg", 4, 12)
    bench.ratio("scan against the unfiltered path", figures, "one", "all", 100, 300)
    bench.ratio("20 % failing lines against 1 %", figures, "twenty", "one", 0.5, 0.8)
    bench.ratio("log with real failures, 1 thread, against wc -l", figures, "real", "real wc", 0.2, 0.75)
    bench.row("peak memory of a scan, MB", max(figures[name][3] for name in ("one", "two", "twenty")) / 1024, 24, 14, is_less=True)


def ndjson(bench):
    cases = []
    for case in corpus():
        row = {key: case[key] for key in ("id", "kind", "provider", "body") if case.get(key) is not None}
        if case["kind"] == "http":
            row.update(status=case["status"], headers=case.get("headers") or {})
        cases.append(json.dumps(row, ensure_ascii=False) + "\n")
    pathlib.Path(bench.path("cases")).write_text("".join(cases) * NDJSON_COPIES, encoding="utf-8")
    count = len(cases) * NDJSON_COPIES
    figures = bench.medians({"jq": (["jq", "-c", ".", bench.path("cases")], count),
                             "ours": ([bench.diagnose, "classify", "--ndjson", bench.path("cases")], count)}, bench.rounds)
    bench.ratio("NDJSON, cases a second, against jq -c .", figures, "ours", "jq", 0.3, 0.8, f"{figures['ours'][0]:.0f} cases/s")


CATASTROPHIC = '''[[rule]]
id = "nested"
diagnosis = "capacity"
keywords = ["upstream account"]
match = { text = '(?:\\w+\\s?)*[!?]{3}' }
reason = "Nested repeats."
source = "a bench"
yes = [{ body = 'a response of the upstream account!!!' }]
no = [{ body = 'an upstream account' }]
'''


def worst_logs(bench):
    """{name: (a line of a log, folder of the user's rules or None)} of logs that cost most. LINE stands for the line's number."""
    keyword = ("2026-11-29T13:00:00Z WARN response LINE of the upstream account service is there, connection kept, "
               "certificate rotated, capacity check passed\n")
    chinese = json.dumps({"level": "info", "msg": "LINE 当前模型请求服务上游渠道余额额度，任务已完成，缓存命中"}) + "\n"
    rules = pathlib.Path(bench.path("config")) / "diagnose" / "rules.d"
    rules.mkdir(parents=True)
    (rules / "nested.toml").write_text(CATASTROPHIC, encoding="utf-8")
    return {
        "every line a keyword and no failure": (keyword, None),
        "lines of 64 KiB": ("2026-11-29T13:00:00Z INFO " + keyword.rstrip().replace("WARN", "") * 480 + "\n", None),
        "non-ASCII keywords in \\u form": (chinese, None),
        "a user's rule whose pattern backtracks without end": (keyword, bench.path("config")),
    }


def worst_cases(bench):
    """Pastes of 64 KiB, and logs that are all keyword and no failure."""
    pastes = {
        "words": "the model is at a limit of tokens and the server is busy " * 1200,
        "braces": '{"error":{"message":' * 3300,
        "escapes": '\\"error\\\\\\":' * 5500,
        "Chinese": "当前模型请求服务上游渠道余额额度" * 1360,
        "digits": "4" * 65536,
        "statuses": "401 " * 16384,
        "short lines": "+a\n" * 21845,
    }
    for name, text in pastes.items():
        path = bench.path("paste")
        pathlib.Path(path).write_bytes(text.encode()[:65536])
        figures = bench.medians({name: ([bench.diagnose, "classify", "--input", "text", path], 65536)}, bench.rounds)
        bench.row(f"a paste of 64 KiB of {name}, ms", figures[name][2] * 1e3, 50, 25, is_less=True)
    for name, (text, config) in worst_logs(bench).items():
        path = bench.path("worst.log")
        lines = (text.replace("LINE", str(number)) for number in range((4 << 20) // len(text)))
        pathlib.Path(path).write_text("".join(lines), encoding="utf-8")
        command = [bench.diagnose, "classify", "--input", "log", "--threads", "1", path]
        if config:
            command = ["env", f"XDG_CONFIG_HOME={config}", *command]
        figures = bench.medians({name: (command, os.path.getsize(path))}, 1)
        bench.row(f"a log, {name}, MB/s", figures[name][0] / 1e6, 1, 10)


def measure(build, rounds):
    with tempfile.TemporaryDirectory(prefix="diagnose-bench-") as name:
        bench = Bench(build, rounds, pathlib.Path(name))
        scans(bench)
        ndjson(bench)
        worst_cases(bench)
    return bench.rows


if __name__ == "__main__":
    table.main(sys.modules[__name__], __doc__)
