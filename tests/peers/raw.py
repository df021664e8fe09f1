#!/usr/bin/env python3
"""A small server for bytes that an HTTP library refuses to send.

usage: raw.py [--ports N] [--tls CERT.pem KEY.pem]

Listens on N free ports of 127.0.0.1, prints them on one line when it is ready, and ends when its
standard input does. What it does with a request is the first part of the path, so a base URL of
http://127.0.0.1:PORT/reset/v1 is reset; MODES below lists them. It is a proxy as well: CONNECT
407.test:443 is refused with 407, CONNECT silent.test:443 never answered, and any other CONNECT goes
through to its port on this machine; POST http://any.test/ok/v1/... is answered like /ok/v1/...

GET /stats gives {"requests": {MODE: N}, "in_flight": N, "leaks": [...]}: how often each mode was
asked for, how many requests were in flight at most, and what reached the goal of the redirect.
"""
import argparse
import hashlib
import json
import os
import re
import socket
import ssl
import struct
import sys
import threading
import time

ANSWER = {"id": "chatcmpl-1", "object": "chat.completion", "model": "m", "choices": [
    {"index": 0, "message": {"role": "assistant", "content": "pong"}, "finish_reason": "stop"}]}
CREATED = ('event: response.created\ndata: {"type":"response.created",'
           '"response":{"id":"resp_1","model":"m-served"}}\n\n')
DELTA = ('event: response.output_text.delta\ndata: {"type":"response.output_text.delta",'
         '"delta":"%s"}\n\n')
COMPLETED = ('event: response.completed\ndata: {"type":"response.completed",'
             '"response":{"id":"resp_1","model":"m-served"}}\n\n')
STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
PAUSE_S = 0.02  # between the pieces of a drip: far below any client's timeout


class Request:
    """What came in, and the connection to answer on."""

    def __init__(self, connection, head, body):
        self.connection, self.body = connection, body
        lines = head.decode("latin-1").split("\r\n")
        self.head = lines
        self.method, self.path = (lines[0].split(" ") + ["", ""])[:2]
        self.path = re.sub(r"^https?://[^/]+", "", self.path)
        self.mode = self.path.strip("/").split("/")[0].split("?")[0]

    def send(self, text):
        self.connection.sendall(text.encode("latin-1") if isinstance(text, str) else text)

    def chunk(self, text):
        self.send(f"{len(text):x}\r\n{text}\r\n")

    def answer(self, status, body, headers=()):
        """A whole answer; the connection stays usable."""
        text = body if isinstance(body, str) else json.dumps(body)
        kind = "application/json" if not isinstance(body, str) else "text/plain"
        lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(text.encode('latin-1'))}"]
        if not any(h.lower().startswith("content-type:") for h in headers):
            lines.append(f"Content-Type: {kind}")
        self.send("\r\n".join(lines + list(headers)) + "\r\n\r\n" + text)
        return True

    def wait_for_close(self):
        while self.connection.recv(4096):
            pass


class Counts:
    """What all connections together have seen."""

    def __init__(self):
        self.changed = threading.Condition()
        self.requests, self.leaks, self.now, self.most = {}, [], 0, 0

    def enter(self, mode):
        with self.changed:
            self.requests[mode] = self.requests.get(mode, 0) + 1
            self.now += 1
            self.most = max(self.most, self.now)
            self.changed.notify_all()

    def leave(self):
        with self.changed:
            self.now -= 1
            self.changed.notify_all()

    def wait_for(self, number, seconds):
        """True when that many requests were in flight at one time before the seconds passed."""
        with self.changed:
            return self.changed.wait_for(lambda: self.most >= number, seconds)


counts = Counts()


def reset(request):
    request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def close(request):
    """Not a byte, an ordinary end."""


def silent(request):
    request.wait_for_close()


def garbage(request):
    request.send(b"\x00\x01\x02 this is not HTTP \xff\xfe\r\n\r\n")


def chunk_cut(request):
    request.send(STREAM)
    request.chunk(CREATED)
    request.send("400\r\ndata: {\"type\":\"response.out")


def length_cut(request):
    request.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n"
                 '{"id":"chatcmpl-1","choices":[{"mess')


def stream_cut(request):
    """Ends as HTTP should, but the stream lacks its last event."""
    request.send(STREAM)
    request.chunk(CREATED + DELTA % "par")
    request.send("0\r\n\r\n")
    return True


def stream_open(request):
    """The whole answer, and then nothing: no end of the body, no end of the connection."""
    request.send(STREAM)
    request.chunk(CREATED + DELTA % "pong" + COMPLETED)
    request.wait_for_close()


def stream_pieces(request):
    """The whole answer, a few bytes at a time, cut in the middle of lines."""
    request.send(STREAM)
    text = CREATED.replace("\n", "\r\n") + ": comment\r\n\r\n" + COMPLETED.replace("\n", "\r\n")
    for at in range(0, len(text), 7):
        request.chunk(text[at:at + 7])
    request.wait_for_close()


def header_drip(request):
    request.send("HTTP/1.1 200 OK\r\n")
    for number in range(100000):
        request.send(f"x-drip-{number}: 1\r\n")
        time.sleep(PAUSE_S)


def header_flood(request):
    request.send("HTTP/1.1 200 OK\r\n")
    while True:
        request.send("".join(f"x-flood-{n}: {'y' * 100}\r\n" for n in range(100)))


def header_long(request):
    request.send("HTTP/1.1 200 OK\r\nx-long: ")
    while True:
        request.send("z" * 65536)


def header_many(request):
    return request.answer(200, ANSWER, [f"x-many-{n}: {n}" for n in range(300)] +
                          ["x-wide: " + "w" * 20000])


def body_drip(request):
    request.send(STREAM)
    while True:
        request.chunk(":")
        time.sleep(PAUSE_S)


def body_huge(request):
    request.send(STREAM)
    while True:
        request.chunk(CREATED + DELTA % ("x" * 4000))


def body_endless(request):
    """As many bytes as anybody takes, of no kind at all."""
    request.send("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n")
    while True:
        request.send("q" * 65536)


def redirect(request):
    host = [h for h in request.head if h.lower().startswith("host:")][0][5:].strip()
    return request.answer(302, "", [f"Location: http://{host}/leak/v1/chat/completions"])


def leak(request):
    with counts.changed:
        counts.leaks.append(request.head)
    return request.answer(200, ANSWER)


def echo(request):
    """Everything that was sent comes back, with the fingerprints of its words."""
    own = [h for h in request.head if re.match(r"(authorization|x-api-key|api-key):", h, re.I)]
    words = {word for h in request.head for word in re.split("[ =]", h)}
    prints = sorted(hashlib.sha256(word.encode("latin-1")).hexdigest()[:8] for word in words)
    error = {"message": "\n".join(request.head), "body": request.body.decode("latin-1"),
             "code": "invalid_api_key"}
    return request.answer(401, {"error": error}, [
        "x-echo: " + " ".join(own), "x-fingerprints: " + " ".join(prints),
        "Set-Cookie: session=0123456789abcdef; Path=/"])


def split_key(request):
    """The bound of the client's body goes right through the key that comes back."""
    value = [h.split(" ")[-1] for h in request.head if h.lower().startswith("authorization:")][0]
    request.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" +
                 "q" * (65536 - len(value) // 2) + value)
    request.wait_for_close()


def old_cap(request):
    asked = json.loads(request.body)
    if "max_completion_tokens" in asked:
        return request.answer(400, {"error": {
            "message": "Unrecognized request argument supplied: max_completion_tokens",
            "type": "invalid_request_error", "param": None, "code": None}})
    return request.answer(200, dict(ANSWER, model=f"old-{asked['max_tokens']}"))


def no_cap(request):
    """Refuses each spelling, so that a client that always tries another one never ends."""
    return request.answer(400, {"error": {"message": "unknown: max_tokens, max_completion_tokens"}})


def ok(request):
    return request.answer(200, ANSWER)


def dated(request):
    """Busy until half a minute after its own clock."""
    return request.answer(503, {"error": {"message": "busy"}},
                          ["Date: Sun, 29 Nov 2026 13:00:00 GMT",
                           "Retry-After: Sun, 29 Nov 2026 13:00:30 GMT"])


def timely(request):
    return request.answer(200, ANSWER, ["Date: Sun, 29 Nov 2026 13:00:05 GMT"])


def interim(request):
    """100 Continue, and then nothing."""
    request.send("HTTP/1.1 100 Continue\r\nx-interim: 1\r\n\r\n")
    request.wait_for_close()


def hints(request):
    """An interim answer with headers of its own before the real one."""
    request.send("HTTP/1.1 103 Early Hints\r\nx-interim: 1\r\n\r\n")
    return request.answer(200, ANSWER)


def models(request):
    return request.answer(200, {"object": "list", "data": [{"id": f"model-{n}" * 20, "object":
                                                            "model"} for n in range(500)]})


def stats(request):
    with counts.changed:
        return request.answer(200, {"requests": counts.requests, "in_flight": counts.most,
                                    "leaks": counts.leaks})


def barrier(request, number):
    """Answers only when that many requests are in flight at once; 500 when they never are."""
    if counts.wait_for(number, 10):
        return request.answer(200, ANSWER)
    return request.answer(500, {"error": {"message": "the others never came"}})


def gate(request, number):
    """Gives more requests than `number` the time to come in, had they been sent, then answers."""
    counts.wait_for(number + 1, 0.15)
    return request.answer(200, ANSWER)


def old_cap_gate(request, number):
    counts.wait_for(number + 1, 0.05)
    return old_cap(request)


def status(request, number):
    return request.answer(number, {"error": {"message": f"status {number}"}})


def any_bytes(request):
    """Every byte there is, in what looks like an error of the API."""
    every = "".join(chr(byte) for byte in range(256) if chr(byte) not in '"\\')
    return request.answer(503, '{"error":{"code":"server_is_overloaded","message":"' + every * 20 + '"}}',
                          ["Content-Type: application/json", "X-Request-Id: \x80\xff\x1b[31m"])


PLAIN = [any_bytes, reset, close, silent, garbage, chunk_cut, length_cut, stream_cut, stream_open,
         stream_pieces, header_drip, header_flood, header_long, header_many, body_drip, body_huge,
         body_endless, redirect, leak, echo, split_key, old_cap, no_cap, ok, dated, timely,
         interim, hints, models, stats]
MODES = {f.__name__.replace("_", "-"): f for f in PLAIN}
NUMBERED = {"barrier": barrier, "gate": gate, "old-cap-gate": old_cap_gate,
            "status": status}  # /barrier-12/, /status-503/


def tunnel(request):
    """CONNECT HOST:PORT."""
    host, port = request.path.rsplit(":", 1)
    if re.match(r"\d{3}\.test$", host):
        return request.answer(int(host[:3]), "")
    if host == "silent.test":
        return request.wait_for_close()
    upstream = socket.create_connection(("127.0.0.1", int(port)))
    request.send("HTTP/1.1 200 Connection established\r\n\r\n")

    def pump(source, sink):
        try:
            while piece := source.recv(65536):
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    threading.Thread(target=pump, args=(upstream, request.connection), daemon=True).start()
    pump(request.connection, upstream)
    return False


def answer(request):
    """True when the connection may be used again."""
    if request.method == "CONNECT":
        return tunnel(request)
    if request.mode in MODES:
        return MODES[request.mode](request)
    name, _, number = request.mode.rpartition("-")
    if name in NUMBERED and number.isdigit():
        return NUMBERED[name](request, int(number))
    return request.answer(404, {"error": {"message": "no such mode"}})


def read_request(connection, rest):
    while b"\r\n\r\n" not in rest:
        piece = connection.recv(65536)
        if not piece:
            return None, b""
        rest += piece
    head, rest = rest.split(b"\r\n\r\n", 1)
    length = re.search(rb"^content-length: *(\d+)", head, re.I | re.M)
    size = int(length.group(1)) if length else 0
    while len(rest) < size:
        rest += connection.recv(65536)
    return Request(connection, head, rest[:size]), rest[size:]


def serve(connection, tls):
    try:
        if tls:
            connection = tls.wrap_socket(connection, server_side=True)
        rest, goes_on = b"", True
        while goes_on:
            request, rest = read_request(connection, rest)
            if not request:
                break
            if request.mode == "stats":
                goes_on = stats(request)
                continue
            counts.enter(request.mode if request.method != "CONNECT" else "CONNECT")
            try:
                goes_on = answer(request)
            finally:
                counts.leave()
    except OSError:
        pass
    finally:
        connection.close()


def accept(listener, tls):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, tls), daemon=True).start()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ports", type=int, default=1)
    parser.add_argument("--tls", nargs=2, metavar=("CERT", "KEY"))
    args = parser.parse_args()
    tls = None
    if args.tls:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(*args.tls)
    listeners = [socket.create_server(("127.0.0.1", 0), backlog=1024) for _ in range(args.ports)]
    for listener in listeners:
        threading.Thread(target=accept, args=(listener, tls), daemon=True).start()
    print(*(listener.getsockname()[1] for listener in listeners), flush=True)
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
