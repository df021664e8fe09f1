#!/usr/bin/env python3
"""Logs of some size: the same answer by whatever way, and nothing out of nothing.

usage: logs.py --build DIR [--mib N] [--seed N]

The log is mixed: N MiB of lines of the generator in tests/bench, and among them the corpus in several wrappings, escapes, long
lines, bytes that are no text; then parts of it again, in other orders, up to 64 MiB. Filtered and unfiltered, one thread and
several, pipe and file, shards added up and the whole must agree byte for byte. Unfiltered, each part is read once.
The last line is `N passed, N failed`.
"""
import argparse
import bisect
import datetime
import itertools
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHARDS = 3
WHOLE_BYTES, PART_BYTES = 64 << 20, 256 << 10
CUT = b'\n{"ts":"2026-'  # a line that begins an entry stands behind the line end


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def units(text, signs):
    """JSON of a text with \\uXXXX for some signs, as the encoders of .NET and Go write it."""
    return "".join(f"\\u{ord(c):04x}" if c in signs else c for c in json.dumps(text)[1:-1].replace('\\"', '"'))


def wraps(text):
    stamp = "2026-11-29T13:00:01Z"
    return [
        lambda: f"{stamp} ERROR app.llm: " + text.replace("\n", "\\n"),
        lambda: "2026-11-29 13:00:01,123 - app - WARNING - " + text.replace("\n", "\n    "),
        lambda: json.dumps({"ts": stamp, "level": "error", "message": text}),
        lambda: json.dumps({"time": 1796043601000, "level": 30, "msg": text}, ensure_ascii=False),
        lambda: f'ts={stamp} level=error msg="{escaped(text)}" dur=1ms',
        lambda: f"\x1b[2m{stamp}\x1b[0m \x1b[31mERROR\x1b[0m " + text.replace("\n", " "),
        lambda: f"{stamp} ERROR call failed\nTraceback (most recent call last):\n  File \"a.py\", line 1, in b\n" +
                "x.Error: " + text.replace("\n", " "),
        lambda: text,
        lambda: json.dumps({"ts": stamp, "level": "error", "message": text}).replace("/", "\\/"),
        lambda: f'{{"ts": "{stamp}", "level": "error", "message": "{units(text, chr(34) + chr(39) + "+<>&")}"}}',
        lambda: json.dumps({"ts": stamp, "level": "error", "message": json.dumps({"text": text})}),
        lambda: f"{stamp} ERROR app.llm: got " + repr(json.dumps({"text": text})),
        lambda: json.dumps({"ts": stamp, "level": "error", "message": json.dumps({"text": json.dumps({"text": text})})}),
    ]


def wrap(text, kind):
    forms = wraps(text)
    return forms[kind % len(forms)]()


def corpus():
    return [json.loads(line)["body"] for file in sorted((HERE / "corpus").glob("*.jsonl"))
            for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def request(rng):
    """A failure of one of many requests: ids, times and measures are always others, of what tells something there are few."""
    digits = lambda count: "".join(rng.choice("0123456789abcdef") for _ in range(count))
    pick = {"status": (429, 503, 401, 200), "wait": ("20s", "25s", "2m"), "model": ("gpt-4o", "glm-4.6"), "level": ("error", "info"),
            "code": ("1302", "1305", "rate_limit_exceeded", "insufficient_quota"), "limit": (1000, 20000), "ms": (429, 0, 812, 81234),
            "host": ("api.openai.com", "api.deepseek.com"), "until": ("2026-12-01T15:00:00Z", "2:25 PM")}
    row = {key: rng.choice(values) for key, values in pick.items()}
    row |= {"id": digits(16), "trace": digits(32), "at": f"2026-11-29T13:{rng.randrange(60):02}:{rng.randrange(60):02}Z"}
    message = rng.choice((
        "HTTP {status} from https://{host}/v1: Limit {limit}, please try again in {wait} (request id: {id})", "overloaded, {id} refused",
        "error code: {code} for {model} ({id})", "model {model} is overloaded, request req_{id}", "{code}: quota resets at {until}, id {id}",
        '{{"error":{{"message":"Limit {limit} of {model} reached","code":"{code}","request_id":"{id}"}}}}',
        "Incorrect API key provided: sk-{id}", "Could not resolve host: {id}.{host}", "upstream answered {status} in {ms} ms, trace {id}"))
    form = rng.choice((
        lambda text: json.dumps({"ts": row["at"], "level": row["level"], "msg": text, "trace_id": row["trace"], "duration_ms": row["ms"]}),
        lambda text: f'time={row["at"]} level={row["level"]} msg="{escaped(text)}" dur={row["ms"]}ms req_id={row["trace"]} status={row["status"]}',
        lambda text: f'{row["at"]} {row["level"].upper()} chat: {text}'))
    return form(message.format(**row)) + "\n"


def mixed(ordinary, bodies, rng):
    """Bytes of a log: generated lines with wrapped cases, long lines and odd bytes between them."""
    out, number = [], 0
    for line in ordinary.splitlines(keepends=True):
        out.append(line)
        if rng.random() < 0.06:
            out.append((wrap(bodies[number % len(bodies)], rng.randrange(1000)) + "\n").encode())
            number += 1
        if rng.random() < 0.06:
            out.append(request(rng).encode())
        if rng.random() < 0.00015:
            out.append(b'{"a":"' + b"x" * rng.randrange(60000, 900000) + rng.choice((b"insufficient_quota", b"")) + b'"}\n')
        if rng.random() < 0.002:
            out.append(bytes(rng.randrange(256) for _ in range(40)) + b"\n")
    # What JSON that keeps to ASCII makes of other scripts.
    out += [(wrap(body, 2) + "\n").encode() for body in bodies if not body.isascii()]
    return b"".join(out)


def parts_of(text):
    """The text, cut where entries begin."""
    parts, begin = [], 0
    while begin < len(text):
        cut = text.find(CUT, begin + PART_BYTES)
        end = cut + 1 if cut >= 0 else len(text)
        parts.append(text[begin:end])
        begin = end
    return parts


def repeated(parts, rng):
    """Numbers of the parts of a whole log: each, and then again in orders of their own."""
    order, size = list(range(len(parts))), sum(map(len, parts))
    while size < WHOLE_BYTES:
        order.append(rng.randrange(len(parts)))
        size += len(parts[order[-1]])
    return order


def told_of_whole(told, parts, order, name):
    """What is told of the whole, put together from what is told of all its parts in a row."""
    ends = list(itertools.accumulate(part.count(b"\n") for part in parts))
    by_part = [[] for _ in parts]
    for line in told.splitlines(keepends=True):
        first, last = map(int, re.search(rb'"line":(\d+),"line_to":(\d+)', line).groups())
        number = bisect.bisect_left(ends, first)
        begin = ends[number - 1] if number else 0
        by_part[number].append((first - begin, last - begin, line))
    out, begin = [], 0
    for number in order:
        for first, last, line in by_part[number]:
            place = b'{"file":%s,"line":%d,"line_to":%d' % (json.dumps(name).encode(), begin + first, begin + last)
            out.append(re.sub(rb'^{"file":"[^"]*","line":\d+,"line_to":\d+', lambda _, place=place: place, line))
        begin += parts[number].count(b"\n")
    return b"".join(out)


class Checks:
    def __init__(self, build):
        self.binary = str(pathlib.Path(build).resolve() / "diagnose")
        self.passed, self.failed = 0, 0

    def run(self, *args, stdin=None):
        return subprocess.run([self.binary, "classify", *args], stdin=stdin, capture_output=True, check=False,
                              env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"})

    def expect(self, what, is_right, detail=""):
        self.passed += is_right
        self.failed += not is_right
        if not is_right:
            print(f"failed: {what}: {detail}")


def first_difference(a, b):
    for number, (x, y) in enumerate(zip(a.splitlines(), b.splitlines())):
        if x != y:
            return f"event {number}: {x[:300]!r} against {y[:300]!r}"
    return f"{len(a.splitlines())} events against {len(b.splitlines())}"


def same_by_every_way(checks, log, distinct, parts, order):
    """The whole log, and the file of all its parts, which is read without the prefilter."""
    lines = ("--input", "log", "--format", "ndjson")
    whole = checks.run(*lines, "--threads", "1", log)
    checks.expect("there are events", whole.stdout.count(b"\n") > 100, whole.stderr.decode()[:300])
    ways = {
        "without the prefilter": told_of_whole(checks.run(*lines, "--no-prefilter", distinct).stdout, parts, order, log),
        "four threads": checks.run(*lines, "--threads", "4", log).stdout,
    }
    with open(log, "rb") as file:
        with subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE) as cat:
            piped = checks.run(*lines, "--threads", "2", stdin=cat.stdout)
    for name, way in ways.items():
        checks.expect(name, way == whole.stdout, first_difference(way, whole.stdout))
    renamed = whole.stdout.replace(json.dumps(log).encode(), b'"-"')
    checks.expect("through a pipe", piped.stdout == renamed, first_difference(piped.stdout, renamed))


def shards_add_up(checks, log, folder):
    """Cut where entries begin: at lines that are stamped."""
    text = pathlib.Path(log).read_bytes()
    cuts = [0] + [text.index(CUT, len(text) * i // SHARDS) + 1 for i in range(1, SHARDS)] + [len(text)]
    results = []
    for i in range(SHARDS):
        part, result = folder / f"part{i}.log", folder / f"part{i}.json"
        part.write_bytes(text[cuts[i]:cuts[i + 1]])
        result.write_bytes(checks.run("--input", "log", "--json", str(part)).stdout)
        results.append(str(result))
    whole = json.loads(checks.run("--input", "log", "--json", log).stdout)
    merged = json.loads(checks.run("--merge", "--json", *reversed(results)).stdout)
    for key in ("aggregate", "counts", "lines", "exit_code", "blame"):
        a, b = whole[key], merged[key]
        checks.expect(f"shards: {key}", a == b, f"{str(a)[:300]} against {str(b)[:300]}")
    checks.expect("events in JSON are bounded, counts are not",
                  len(whole["events"]) == min(1000, sum(whole["counts"].values())) and
                  len(whole["events"]) + whole["events_left_out"] == sum(whole["counts"].values()))


def nothing_out_of_nothing(checks, ordinary):
    run = checks.run("--format", "ndjson", ordinary)
    checks.expect("a log without failures gives nothing", run.stdout == b"" and run.returncode == 0, run.stdout[:600])


# What programs say in good health, and how they front it.
TALK = [
    "prompt has 8211 tokens, maximum context length is 131072", "mapping error code 401 to AuthError",
    "限流策略: 每分钟 60 次, 超过返回 429", "retry policy: 429, 500, 502, 503 with exponential backoff",
    "user asked: why do I get 'insufficient_quota'?", "test notification: 'model overloaded' alert rule saved",
    "ticket #4821 'Rate limit exceeded on weekend' closed", "will retry on timeout, connection reset and 5xx",
    "the docs say that a 503 means the model is overloaded", "indexed document 'How to fix 401 Invalid API key' in 63 ms",
    "registered error handler for 401, 403, 429 and 503", "0 failed, 311 succeeded", "git: fix: handle 401 invalid_api_key",
    "guardrail check passed: no policy violation", "recovered from 503 Service Unavailable after 2 retries",
    "no model named 'gpt-old' is configured, using default gpt-x", "user message: my agent says 'Invalid API key', what now?",
]
# Failures of others: requests to no LLM API, log-ins of people, daemons, stores.
FOREIGN = [
    '203.0.113.9 - - [29/Nov/2026:13:00:00 +0000] "GET /wp-login.php HTTP/1.1" 404 162 "-" "Mozilla/5.0 (compatible; GPTBot/1.2)"',
    'INFO:     127.0.0.1:52782 - "POST /login HTTP/1.1" 401 Unauthorized', '[GIN] 2026/11/29 - 13:00:00 | 403 |  1.2ms |  10.0.0.7 | POST     "/client"',
    "Nov 29 13:00:00 web sshd[24200]: pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=203.0.113.9",
    "Nov 29 13:00:00 web sshd[25457]: fatal: Write failed: Connection reset by peer [preauth]",
    "Nov 29 13:00:00 mx postfix/smtp[412]: connect to mx.example.net[203.0.113.25]:25: Connection timed out",
    "2026-11-29 13:00:00,123 ERROR app.db: connection to server at \"db\", port 5432 failed: Connection refused (postgresql)",
    '2026/11/29 13:00:00 [error] 31#31: *7 connect() failed (111: Connection refused) while connecting to upstream, client: 10.0.0.7, '
    'server: shop.example, request: "GET /cart HTTP/1.1", upstream: "http://127.0.0.1:3000/cart"',
    "app.js:12 GET https://cdn.example.com/app.js 404 (Not Found)",
    "2026-11-29T13:00:00Z WARN Max retries exceeded with url: /repos/acme/tool (Caused by NewConnectionError: Connection refused)",
    '{"level":"error","ts":1796043600,"logger":"http.log.access","request":{"method":"GET","uri":"/metrics"},"status":502}',
    "I, [2026-11-29T13:00:00.223456 #42]  INFO -- : Completed 401 Unauthorized in 93ms (ActiveRecord: 1.2ms)",
    "2026-11-29T13:00:00Z error: StripeAuthenticationError: Invalid API Key provided: sk_test_****abcd",
    "2026-11-29T13:00:00Z error: FetchError: request to https://registry.npmjs.org/left-pad failed, reason: getaddrinfo ENOTFOUND",
    "2026-11-29 13:00:00,123 - gateway - ERROR - request failed http://localhost:8002/system: All connection attempts failed",
    '2026/11/29 13:00:00 [error] 31#31: *9 connect() failed (111: Connection refused) while connecting to upstream, client: 10.0.0.7, '
    'server: llm.example, request: "GET /shop/cart HTTP/1.1", upstream: "http://127.0.0.1:9/cart"',
    '<134>Nov 29 13:00:00 lb haproxy[31]: 10.0.0.7:5 [29/Nov/2026:13:00:00.693] llm shop/shop1 0/0/-1/-1/1504 503 217 - - SC-- 1/1/0/0/3 0/0 '
    '"POST /shop/cart HTTP/1.1"',
    '{"level":50,"time":1796043600000,"hostname":"chat-7f9c","err":{"message":"Request failed with status code 500","url":"http://a/orders/7"}}',
    'chat-api-1   | INFO:     127.0.0.1:47236 - "GET /orders/3 HTTP/1.1" 404 Not Found',
    "[2026-11-29T13:00:00Z] [ERROR] [agent:browser] page.goto: net::ERR_NAME_NOT_RESOLVED at https://www.example.com/",
    '{"level":30,"time":1796043600000,"reqId":"req-1","res":{"statusCode":404},"responseTime":3,"msg":"request completed"}',
    '{"log":"10.0.0.7 - - [29/Nov/2026:13:00:00 +0000] \\"GET /cart HTTP/1.1\\" 404 1 \\"-\\" \\"GPTBot\\"","stream":"stdout"}',
    "[2026-11-29T13:00:00.481] [ERROR] assistant - Failed to send mail: 535 Authentication failed",
    "2026-11-29 13:00:00,123 - search_service - WARNING - NewsAPI search failed: 401 - Your API key is invalid or incorrect.",
    "2026-11-29 13:00:00,123 - WARNING - Timeout while accessing: https://shop.example.com/uae-en/sports",
    "2026-11-29 13:00:00,123 - email - INFO - User not logged in, redirecting to login",
    "1:00:00 PM [vite] Internal server error: Failed to resolve import ./a from src/b.tsx",
    "W1129 13:00:00.123456       1 reflector.go:424] failed to list *v1.Pod: Unauthorized",
    "2026-11-29 13:00:00,123 - ERROR - Google Search API error: 400 - Request contains an invalid argument.",
    "2026-11-29 13:00:00,123 ERROR botocore: An error occurred (InvalidAccessKeyId) when calling the PutObject operation: refused",
]
ASKED = [
    '203.0.113.9 - - [29/Nov/2026:13:00:00 +0000] "POST /v1/chat/completions HTTP/1.1" 401 162 "-" "curl/8.5.0"',
    '[GIN] 2026/11/29 - 13:00:00 | 401 |  1.2ms |  10.0.0.7 | POST     "/v1/messages"',
    "[GIN] 2026/11/29 - 13:00:00 | relay | 20261129130000736330894dLoIRrS6 | 429 |   94.3ms |    10.0.0.6 |    POST /v1/embeddings",
    '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"error_status":429}',
    "2026-11-29 13:00:00,123 ERROR app: 500 Server Error: Internal Server Error for url: http://localhost:11434/api/chat",
    "Nov 29 13:00:00 web agent[412]: openai: Connection reset by peer",
    "app.js:12 POST https://api.openai.com/v1/chat/completions 403", "2026-11-29T13:00:00Z GET https://api.openai.com/v1/models 401",
    "2026-11-29T13:00:00Z ERROR Connection refused",
    'DEBUG:urllib3.connectionpool:http://127.0.0.1:18080 "POST /a502/v1/chat/completions HTTP/1.1" 502 136',
    'DEBUG:urllib3.connectionpool:http://127.0.0.1:14290 "POST /v1/chat/completions HTTP/1.1" 429 136',
    '{"log":"10.0.0.7 - - [29/Nov/2026:13:00:00 +0000] \\"POST /v1/messages HTTP/1.1\\" 502 1 \\"-\\" \\"curl\\"","stream":"stdout"}',
    "2026-11-29T13:00:00Z ERROR An error occurred (529) when calling the InvokeModel operation: ",
    "2026-11-29 13:00:00,123 - gateway - ERROR - request failed http://localhost:8002/v1/messages: All connection attempts failed",
    "2026-11-29 13:00:00,123 - bot - ERROR - HTTP error when calling AI service: 500",
    '2026/11/29 13:00:00 [error] 31#31: *7 connect() failed (111: Connection refused) while connecting to upstream, client: 10.0.0.7, '
    'server: ai.example, request: "POST /v1/embeddings HTTP/1.1", upstream: "http://127.0.0.1:8000/v1/embeddings"',
]
FRONTS = {
    "logging": "2026-11-29 13:00:00,123 - app.llm - {} - {}", "uvicorn": "{}:     {}",
    "gunicorn": "[2026-11-29 13:00:00 +0000] [7] [{}] {}", "celery": "[2026-11-29 13:00:00,123: {}/ForkPoolWorker-1] {}",
    "litellm": "13:00:00 - LiteLLM Proxy:{}: proxy_server.py:88 - {}", "log4j": "2026-11-29 13:00:00,123 [exec-1] {} c.e.Chat - {}",
    "journal": "Nov 29 13:00:00 host agent[42]: {} {}", "slog": 'time=2026-11-29T13:00:00Z level={} msg="{}" worker=1',
    "zap": '{{"level":"{}","ts":1796043601.5,"msg":"{}"}}', "docker": '{{"log":"{} {}\\n","time":"2026-11-29T13:00:00Z"}}',
    "one-api": "[{}] 2026/11/29 - 13:00:00 | 20261129 | {}", "tracing": "\x1b[2m2026-11-29T13:00:00Z\x1b[0m \x1b[32m{}\x1b[0m app::http: {}",
}
LEVELLESS = {"clock": "2026-11-29 13:00:00 {}", "syslog": "<14>1 2026-11-29T13:00:00Z host agent 42 - - {}",
             "klog": "I1129 13:00:00.123456       1 main.go:88] {}"}


def fronts_are_read(checks, folder):
    """Talk gives nothing behind any front, a failure one event behind each, with its traceback where it has one."""
    fronts = {name: lambda text, level="INFO", f=form: f.format(level, text) for name, form in FRONTS.items()}
    fronts |= {name: lambda text, level="INFO", f=form: f.format(text) for name, form in LEVELLESS.items()}
    failure = "Selected model is at capacity. Please try a different model."
    for name, front in fronts.items():
        log = folder / "fronts.log"
        log.write_text("".join(front(text) + "\n" for text in TALK), encoding="utf-8")
        checks.expect(f"talk behind {name}", checks.run("--input", "log", "--format", "ndjson", str(log)).stdout == b"")
        log.write_text(f"{front('ready')}\n{front(failure, 'ERROR')}\n{front('call failed', 'ERROR')}\n"
                       f"Traceback (most recent call last):\n  File \"a.py\", line 7, in b\nx.Error: {failure}\n{front('ready')}\n",
                       encoding="utf-8")
        events = [json.loads(line) for line in checks.run("--input", "log", "--format", "ndjson", str(log)).stdout.splitlines()]
        spans = [(event["diagnosis"], event["line"], event["line_to"]) for event in events]
        checks.expect(f"failures behind {name}", spans == [("capacity", 2, 2), ("capacity", 3, 6)], str(events)[:300])


def failures_of_others_are_none(checks, folder):
    """What stands in a log for another system gives nothing, the same of an LLM API or of nobody in particular an event."""
    log = folder / "foreign.log"
    for line, count in [(line, 0) for line in FOREIGN] + [(line, 1) for line in ASKED]:
        log.write_text(line + "\n", encoding="utf-8")
        events = checks.run("--input", "log", "--format", "ndjson", str(log)).stdout
        checks.expect(f"{count} events of: {line[:80]}", events.count(b"\n") == count, events.decode()[:300])


POWERSHELL = "redirected by PowerShell"


def carried(lines):
    """The ways in which collectors keep the lines of a log, each a line of its own."""
    stamp = "2026-11-29T13:00:00.{:06}000Z"
    yield "as it stands", lines
    yield "kept by Docker", [json.dumps({"log": line + "\n", "stream": "stderr", "time": stamp.format(i)}) for i, line in enumerate(lines)]
    yield "of a pod", [stamp.format(i) + " stderr F " + line for i, line in enumerate(lines)]
    yield "of a service", ["app-1  | " + line for line in lines]
    yield "stamped by PM2", ["2026-11-29T13:00:00: " + line for line in lines]
    yield "exported from a cloud", [json.dumps({"insertId": f"a{i}", "textPayload": line, "timestamp": stamp.format(i), "severity": "DEFAULT"})
                                    for i, line in enumerate(lines)]
    yield "exported from a journal", [json.dumps({"PRIORITY": "6", "SYSLOG_IDENTIFIER": "app", "MESSAGE": line}) for line in lines]
    yield POWERSHELL, lines


def whole_logs_are_told(checks, folder):
    """Of what programs printed of servers on loopback that refuse, each failure is told and nothing else, whoever kept the lines."""
    path = folder / "whole.log"
    for row in map(json.loads, (HERE / "recorded" / "logs.jsonl").read_text(encoding="utf-8").splitlines()):
        for way, lines in carried(row["log"]):
            is_wide = way == POWERSHELL
            text = "".join(line + ("\r\n" if is_wide else "\n") for line in lines)
            path.write_bytes(text.encode("utf-16" if is_wide else "utf-8"))
            found = [json.loads(line) for line in checks.run("--input", "log", "--format", "ndjson", str(path)).stdout.splitlines()]
            events = [(event["line"], event["line_to"], event["diagnosis"]) for event in found]
            missed = [wanted for wanted in row["events"] if not any(
                first <= wanted[1] and last >= wanted[0] and diagnosis in wanted[2] for first, last, diagnosis in events)]
            more = [event for event in events if not any(
                event[0] <= last and event[1] >= first for first, last, *_ in row["events"] + row["may"])]
            checks.expect(f"{row['name']} {way}", not missed and not more, f"missed {missed[:4]}, more {more[:4]}")


def measured(checks, log, result):
    """(the JSON, peak KiB) of one thread on a log; no peak where sanitizers add theirs."""
    # By a small process: what this one takes would count as its child's.
    script = ("import os, sys; pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN,"
              " 1, sys.argv[1], os.O_WRONLY | os.O_CREAT, 0o600)]); print(os.wait4(pid, 0)[2].ru_maxrss)")
    peak_kib = int(subprocess.check_output([sys.executable, "-c", script, str(result), checks.binary, "classify",
                                            "--json", "--threads", "1", str(log)]))
    is_plain = b"__asan_init" not in pathlib.Path(checks.binary).read_bytes()
    return json.loads(result.read_text()), peak_kib if is_plain else 0


def encoders_hide_nothing(checks, folder):
    """A failure with both a slash and a quote, which every encoder writes in its own way, where all but the whole of it is common."""
    log, distinct = str(folder / "encoders.log"), folder / "distinct.log"
    line = '127.0.0.6 - - [27/Mar/2024:17:08:14 +0700] "POST /api/v1/process/c1/chat/completions HTTP/1.1" {} 31 "-" "tM/JS 4.24.7"'
    # Those of one text; a traceback and a joined line put other words before it.
    kinds = [kind for kind in range(len(wraps(""))) if "Traceback" not in wrap("", kind)]
    parts = [(wrap(line.format(status), kind) + "\n").encode() for kind in kinds for status in (200, 405)]
    order = [number for number in range(len(parts)) for _ in range(1 if number % 2 else 200)]
    pathlib.Path(log).write_bytes(b"".join(parts[number] for number in order))
    distinct.write_bytes(b"".join(parts))
    lines = ("--input", "log", "--format", "ndjson", "--threads", "1")
    quick = checks.run(*lines, log).stdout
    slow = told_of_whole(checks.run("--no-prefilter", *lines, str(distinct)).stdout, parts, order, log)
    checks.expect("a failure by every encoder", slow.count(b"\n") >= 8, f"{slow.count(10)} of {len(kinds)}")
    checks.expect("what encoders write", quick == slow, first_difference(quick, slow))


def ends_of_lines_hide_nothing(checks, folder):
    """A line end amid the words of a failure, in an entry's text and in a value of it."""
    log, ordinary = folder / "ends.log", "2026-11-29T13:00:00Z INFO nothing to see here\n" * 5000
    texts = ["Error: this API key has been{}revoked by its owner.", "Selected model is at{}capacity. Please try a different model."]
    fronts = ["{}", '{{"msg":"{}"', '{{"a":{{"msg":"{}"}}}}', '{{"error":"{}"}}', "{{'a': '{}'}}", '{{"a":"{{\\"error\\": \\"{}\\"}}"}}']
    with open(log, "w", encoding="utf-8") as file:
        file.write(ordinary)
        for text, front in itertools.product(texts, fronts):
            for end in ("\n ", "\n\t", " \n  ", "\r\n ", "\\\n ", "\\n "):
                file.write("2026-11-29T13:00:00Z ERROR " + front.format(text.format(end)) + "\n")
    lines = ("--input", "log", "--format", "ndjson", "--threads", "1", str(log))
    quick, slow = checks.run(*lines), checks.run("--no-prefilter", *lines)
    checks.expect("ends of lines", quick.stdout == slow.stdout, first_difference(quick.stdout, slow.stdout))


USER_RULE = """
[[rule]]
id = "user-{number}"
diagnosis = "capacity"
keywords = [{keyword}]
match = {{ text = '{pattern}' }}
reason = "x"
source = "x"
yes = [{{ body = '{yes}' }}]
no = [{{ body = "all is well" }}]
"""
# What only the evidence of a record holds: empty values, the record below its message, shorter gaps between words.
USER_RULES = [
    ('\'"service":""\'', '"service":"".{0,80}house one', '"service":"","msg":"house one"'),
    ('\'"took_ms":0\'', 'house two.{0,40}"took_ms":0', 'house two","took_ms":0'),
    ('"house three"', 'house three\\s+\\{"ts"', 'house three {"ts"'),
    ('"house four"', 'house four.{0,40}"state":"full"', 'house four","state":"full"'),
    ('"house five"', 'service= msg="house five', 'service= msg="house five"'),
    ('\'","msg":"house six\'', '"","msg":"house six', '"","msg":"house six"'),
    ('"no such words"', 'house eight', 'house eight'),  # a keyword that no match holds: it never wins
    ('"(a+)+"', '^(?:[^x]+)+house seven$', 'house seven'),  # broken: it backtracks without end
]


def rules_of_users_agree(checks, folder):
    """A user's rule on what is left empty or put together for judging holds with the prefilter, too, and one that hits limits is told of
    the same lines."""
    rules, log = folder / "home/.config/diagnose/rules.d", folder / "users.log"
    rules.mkdir(parents=True)
    (rules / "a.toml").write_text("".join(USER_RULE.format(number=n, keyword=keyword, pattern=pattern, yes=yes)
                                          for n, (keyword, pattern, yes) in enumerate(USER_RULES)), encoding="utf-8")
    long = "s" * 90
    with open(log, "w", encoding="utf-8") as file:
        for said in ("one", "two", "three", "four", "five", "six", "eight", "(a+)+ seven" + "a" * 60):
            record = {"ts": "2026-11-29T13:00:01Z", "level": "ERROR", "service": long, "msg": f"house {said}", "took_ms": 81, "module": long, "state": "full"}
            file.write(json.dumps(record, separators=(",", ":")) + "\n" + json.dumps(record) + "\n")
            file.write(f'ts=2026-11-29T13:00:01Z level=error service={long} msg="house {said}" took_ms=81 module={long} state=full\n')
            file.write(f"2026-11-29T13:00:01Z ERROR app: house {said}: 429 rate_limit_exceeded\n")
    env = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"}
    quick, slow = (subprocess.run([checks.binary, "classify", "--input", "log", "--format", "ndjson", "--threads", "1", *way, str(log)],
                                  capture_output=True, check=False, env=env) for way in ([], ["--no-prefilter"]))
    found = {json.loads(line)["rule"] for line in slow.stdout.splitlines()}
    checks.expect("rules of users find what they ask for", {f"user-{n}" for n in range(6)} <= found and "user-6" not in found, str(found))
    checks.expect("rules of users", quick.stdout == slow.stdout, first_difference(quick.stdout, slow.stdout))


def pieces_are_looked_at_each(checks, folder):
    """Lines of more than a piece, with words that are refused in front of a failure in any piece."""
    log, piece, overlap = folder / "pieces.log", 64 * 1024, 4096
    failure = b"was. config error: Selected model is at capacity. Please try a different model. "
    with open(log, "wb") as file:
        for length in (piece + 21, piece + overlap, 2 * piece, 3 * piece + 77):
            for at in (2000, piece - overlap - 50, piece - overlap + 50, piece - 40, piece + 1, 2 * piece - 2 * overlap + 9):
                if at + len(failure) < length:
                    line = bytearray((b"2026-11-19T05:14:14Z DEBUG dump prompt=\"index error config error tool at capacity try "
                                      + b"session rollback cache worker " * (length // 30 + 1))[:length])
                    line[at:at + len(failure)] = failure
                    file.write(bytes(line) + b"\n" + b"2026-11-19T05:14:15Z INFO ok\n" * 40)
    lines = ("--input", "log", "--format", "ndjson", "--threads", "1", str(log))
    quick, slow = checks.run(*lines), checks.run("--no-prefilter", *lines)
    checks.expect("failures in later pieces", slow.stdout.count(b"at capacity") > 8, slow.stdout[:300])
    checks.expect("pieces of long lines", quick.stdout == slow.stdout, first_difference(quick.stdout, slow.stdout))


def memory_stays_flat(checks, folder):
    """A line of 300 MB, and its one event."""
    log = folder / "line.log"
    with open(log, "wb") as file:
        file.write(b"2026-11-29T13:00:00Z INFO a\n" + b"2026-11-29T13:00:00Z ERROR ")
        for _ in range(300):
            file.write(b"abcdefgh " * 111111)
        file.write(b"Selected model is at capacity. Please try a different model.\n")
    result, peak_kib = measured(checks, log, folder / "line.json")
    checks.expect("a long line is one event", [event["line"] for event in result["events"]] == [2], str(result)[:300])
    checks.expect("memory stays flat", peak_kib < 40 * 1024, f"{peak_kib} KiB")


def many_counts_take_little(checks, folder):
    """As many cells of the aggregate as are kept: hours by models."""
    log, start = folder / "hours.log", datetime.datetime(2026, 1, 1)
    with open(log, "w", encoding="utf-8") as file:
        for i in range(50000):
            moment = start + datetime.timedelta(hours=i % 5000)
            file.write(f"{moment:%Y-%m-%dT%H:%M:%SZ} ERROR model=gpt-{i // 5000} provider=openai Selected model is at capacity. "
                       "Please try a different model.\n")
    result, peak_kib = measured(checks, log, folder / "hours.json")
    cells = result["aggregate"]["cells"]
    checks.expect("every hour and model is counted", len(cells) == 50000 and all(cell["count"] == 1 for cell in cells), str(cells)[:300])
    checks.expect("counts in order", cells == sorted(cells, key=lambda cell: (cell["model"], cell["hour"])), str(cells)[:300])
    checks.expect("memory of many counts", peak_kib < 24 * 1024, f"{peak_kib} KiB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--mib", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    checks, rng = Checks(args.build), random.Random(args.seed)
    generator = str(pathlib.Path(args.build).resolve() / "loggen")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="diagnose-logs-") as name:
        folder = pathlib.Path(name)
        log, distinct, ordinary = str(folder / "mixed.log"), folder / "distinct.log", str(folder / "ordinary.log")
        generated = subprocess.check_output([generator, str(args.mib), "500", str(args.seed)])
        parts = parts_of(mixed(generated, corpus(), rng))
        order = repeated(parts, rng)
        distinct.write_bytes(b"".join(parts))
        with open(log, "wb") as whole:
            whole.writelines(parts[number] for number in order)
        with open(ordinary, "wb") as calm:
            subprocess.check_call([generator, "10", "0", str(args.seed)], stdout=calm)
        same_by_every_way(checks, log, str(distinct), parts, order)
        shards_add_up(checks, log, folder)
        nothing_out_of_nothing(checks, ordinary)
        fronts_are_read(checks, folder)
        failures_of_others_are_none(checks, folder)
        whole_logs_are_told(checks, folder)
        encoders_hide_nothing(checks, folder)
        ends_of_lines_hide_nothing(checks, folder)
        rules_of_users_agree(checks, folder)
        pieces_are_looked_at_each(checks, folder)
        memory_stays_flat(checks, folder)
        many_counts_take_little(checks, folder)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
