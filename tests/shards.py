#!/usr/bin/env python3
"""Work that several processes share, on real engines: a Redis stream with workers of which one is killed in mid-work,
and a log cut up by GNU parallel. Whatever is shared out, the sum must be that of one process.

usage: shards.py [--build DIR]

Programs that are missing are named as skipped. Everything started is ended by its own pid. The last line is
`N passed, N failed`.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from harness.ports import free_port  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORKER = ROOT / "man" / "examples" / "redis-worker"
CASES = 600
LOG_LINES = 20000
SECONDS_MAX = 60
# In Debian's package the server is a link to redis-check-rdb, which is both; its tools come without a daemon.
SERVER = "redis-check-rdb"


class Shards:
    def __init__(self, build, folder):
        self.diagnose, self.folder = build / "diagnose", folder
        self.passed = self.failed = self.skipped = 0

    def check(self, about, is_held, why=""):
        self.passed += bool(is_held)
        self.failed += not is_held
        if not is_held:
            print(f"failed: {about}: {str(why)[:2000]}")

    def program(self, name):
        found = shutil.which(name)
        if not found:
            self.skipped += 1
            print(f"skipped: {name} is not here")
        return found


def cases():
    """Evidence of several diagnoses, as classify --ndjson takes it; some lines are none."""
    given = [json.loads(line) for line in open(ROOT / "tests/corpus/given.jsonl", encoding="utf-8")]
    lines = []
    for i in range(CASES):
        case = given[i % len(given)]
        fields = {"id": i, "kind": case["kind"], "body": case["body"]}
        if case["kind"] == "http":
            fields |= {"status": case["status"], "headers": case.get("headers") or {}}
        lines.append("no object" if i % 100 == 99 else json.dumps(fields))
    return lines


class Redis:
    """A server of its own on loopback, without files."""

    def __init__(self, folder):
        server = folder / "redis-server"
        server.symlink_to(shutil.which(SERVER))
        self.port = free_port()
        self.process = subprocess.Popen([server, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""],
                                        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for line in self.process.stdout:
            if b"Ready to accept connections" in line:
                return
        raise RuntimeError("redis-server did not start")

    def ask(self, *words):
        run = subprocess.run(["redis-cli", "-p", str(self.port), *words], stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, timeout=SECONDS_MAX, check=True)
        return run.stdout

    def add(self, stream, values):
        """Adds an entry for each value, in the protocol itself, since redis-cli has an unquoting of its own."""
        def encoded(*words):
            words = [word.encode() for word in words]
            return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)

        with socket.create_connection(("127.0.0.1", self.port)) as link:
            link.sendall(b"".join(encoded("XADD", stream, "*", "case", value) for value in values) + encoded("QUIT"))
            while link.recv(65536):
                pass

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=SECONDS_MAX)


def timeless(answer):
    """An answer without the wait, which counts from now where it comes from a moment."""
    fields = json.loads(answer)
    fields.pop("wait_ms", None)
    return json.dumps(fields)


def worker(redis, folder, name, path, stale_ms):
    env = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}", REDIS_URL=f"redis://127.0.0.1:{redis.port}",
               STALE_MS=str(stale_ms), BATCH="40", TMPDIR=str(folder))  # one that is killed tidies nothing up
    return subprocess.Popen([WORKER, name, "once"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True)


def kill_in_mid_work(redis, folder):
    """A worker that has taken a batch and judges it when it is killed with all that it started."""
    shim = folder / "shim"
    shim.mkdir()
    ready = folder / "ready"
    os.mkfifo(ready)
    (shim / "diagnose").write_text(f"#!/bin/sh\necho taken > {ready}\nexec sleep 1000\n")
    (shim / "diagnose").chmod(0o755)
    process = worker(redis, folder, "killed", shim, 60000)
    with open(ready, encoding="utf-8") as end:
        end.read()  # returns when the batch is taken
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return int(redis.ask("XPENDING", "diagnose:in", "diagnose").splitlines()[0])


def redis_stream(shards):
    if not (shards.program("redis-cli") and shards.program(SERVER)):
        return
    lines = cases()
    alone = subprocess.run([shards.diagnose, "classify", "--ndjson"], input="\n".join(lines) + "\n", text=True,
                           capture_output=True, check=True).stdout.splitlines()
    redis = Redis(shards.folder)
    try:
        redis.add("diagnose:in", lines)
        shards.check("all entries are in the stream", redis.ask("XLEN", "diagnose:in").strip() == str(CASES))
        left = kill_in_mid_work(redis, shards.folder)
        shards.check("the killed worker had taken a batch", left == 40, left)
        workers = [worker(redis, shards.folder, name, shards.diagnose.parent, 0 if name == "b" else 60000)
                   for name in ("a", "b", "c")]
        for each in workers:
            _, said = each.communicate(timeout=SECONDS_MAX)
            shards.check("a worker ends well", each.returncode == 0, said)
        shards.check("nothing is left pending", redis.ask("XPENDING", "diagnose:in", "diagnose").splitlines()[0] == "0")
        answers = [line for line in redis.ask("XRANGE", "diagnose:out", "-", "+").splitlines() if line.startswith("{")]
        have, want = sorted(map(timeless, answers)), sorted(map(timeless, alone))
        shards.check("nothing is lost and nothing judged twice", have == want,
                     f"{len(have)} answers in place of {len(want)}; {sorted(set(have) ^ set(want))[:4]}")
        counts = redis.ask("HGETALL", "diagnose:counts").splitlines()
        have = {name: int(number) for name, number in zip(counts[::2], counts[1::2])}
        want = collections.Counter(json.loads(line).get("diagnosis", "error") for line in alone)
        shards.check("the counts are those of one process", have == dict(want), f"{have} in place of {dict(want)}")
    finally:
        redis.stop()


def parallel_log(shards):
    """A log cut up by GNU parallel, each part to a process, and their results added up."""
    if not shards.program("parallel"):
        return
    log = shards.folder / "gateway.log"
    given = [json.loads(line) for line in open(ROOT / "tests/corpus/given.jsonl", encoding="utf-8")]
    with open(log, "w", encoding="utf-8") as file:
        for i in range(LOG_LINES):
            at = f"2026-11-29T{i // 3600 % 24:02}:{i // 60 % 60:02}:{i % 60:02}Z"
            body = json.dumps(given[i // 50 % len(given)]["body"])
            file.write(f"{at} ERROR call failed: {body}\n" if i % 50 == 0 else f"{at} INFO request {i} took 12 ms\n")
    classify = [shards.diagnose, "classify", "--json"]
    whole = subprocess.run([*classify, "--input", "log", log], capture_output=True, text=True, check=False)
    command = f"{shards.diagnose} classify --input log --json - > {shards.folder}/part-{{#}}.json"
    cut = subprocess.run(["parallel", "--will-cite", "--pipepart", "--block", "300K", "-a", log, command],
                         capture_output=True, text=True, timeout=SECONDS_MAX, check=False,
                         env=dict(os.environ, HOME=str(shards.folder)))
    parts = sorted(shards.folder.glob("part-*.json"))
    shards.check("parallel cut the log into parts", len(parts) >= 3, f"{len(parts)} parts; {cut.stderr}")
    merged = subprocess.run([*classify, "--merge", *parts], capture_output=True, text=True, check=False)
    alone, together = json.loads(whole.stdout), json.loads(merged.stdout)
    shards.check("there is something to count", alone["aggregate"]["events"] > 100, alone["aggregate"]["events"])
    for what in ("aggregate", "counts"):
        shards.check(f"{what} of all parts are those of the whole", alone[what] == together[what],
                     f"{alone[what]} in place of {together[what]}")
    shards.check("the exit code is that of the whole", whole.returncode == merged.returncode,
                 f"{merged.returncode} in place of {whole.returncode}")


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="diagnose-shards-") as folder:
        shards = Shards(args.build.resolve(), pathlib.Path(folder))
        redis_stream(shards)
        parallel_log(shards)
    line = f"{shards.passed} passed, {shards.failed} failed"
    print(line + (f", {shards.skipped} skipped" if shards.skipped else ""))
    sys.exit(1 if shards.failed else 0)


main()
