"""A provider on loopback that writes down what a client sends and never what its key is.

Any https host is answered as well, by a CONNECT proxy on the same port with a certificate of a throw-away CA. The first
part of the path may name an answer of tests/recorded/server-scenarios.json; every other POST is answered healthily.
Handshakes for WebSockets are refused with 426, which sends Codex to HTTP at once.
"""
import base64
import ctypes
import hashlib
import http.server
import json
import os
import ssl
import subprocess
import threading
import urllib.parse

HOSTS = ["api.openai.com", "chatgpt.com", "auth.openai.com", "gateway.example.test"]
BODY_BYTES_MAX = 4 << 20
SCENARIOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "recorded", "server-scenarios.json")
# What every client of HTTP or every Codex sends, whatever its configuration says.
ORDINARY = {"accept", "accept-encoding", "authorization", "connection", "content-encoding", "content-length",
            "content-type", "conversation_id", "host", "openai-beta", "originator", "session-id", "session_id",
            "thread-id", "traceparent", "tracestate", "user-agent", "version"}
ORDINARY_BEGINNINGS = ("x-codex-", "x-client-", "x-openai-", "sec-websocket", "upgrade")
SECRET_HEADERS = {"api-key", "x-api-key"}


def fingerprint(key):
    """The name by which diagnose calls a key: the first 8 hex digits of its SHA-256."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def token(claims):
    """A JWT that nobody signed."""
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    return f'{part({"alg": "none", "typ": "JWT"})}.{part(claims)}.c2ln'


def make_authority(folder):
    """(file of the CA, server context) of a CA that lives as long as the folder."""
    def openssl(*args):
        subprocess.run(["openssl", *args], cwd=folder, check=True, capture_output=True)
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *curve, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test CA")
    openssl("req", *curve, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=" + HOSTS[0])
    with open(os.path.join(folder, "leaf.ext"), "w", encoding="ascii") as out:
        out.write("subjectAltName=" + ",".join("DNS:" + host for host in HOSTS))
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", "leaf.ext", "-out", "leaf.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "leaf.pem"), os.path.join(folder, "leaf.key"))
    return os.path.join(folder, "ca.pem"), context


def plain(body, encoding):
    """The body without zstd, in which ChatGPT's requests are packed."""
    if encoding != "zstd":
        return body
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(BODY_BYTES_MAX)
    size = zstd.ZSTD_decompress(out, ctypes.c_size_t(BODY_BYTES_MAX), body, ctypes.c_size_t(len(body)))
    return b"" if zstd.ZSTD_isError(ctypes.c_size_t(size)) else out.raw[:size]


def describe(method, url, headers, body):
    """What is worth keeping of one request: {method, url, query, model, key_fingerprint, headers}."""
    parts = urllib.parse.urlsplit(url)
    try:
        model = json.loads(plain(body, headers.get("content-encoding"))).get("model")
    except (ValueError, AttributeError):
        model = None
    sent = {}
    for name, value in headers.items():
        name = name.lower()
        if name in SECRET_HEADERS:
            value = "[key " + fingerprint(value) + "]"
        if name not in ORDINARY and not name.startswith(ORDINARY_BEGINNINGS):
            sent[name] = value
    auth = ", ".join(headers.get_all("authorization") or []) or None
    query = sorted(parts.query.split("&")) if parts.query else []
    return {"method": method, "url": f"{parts.scheme}://{parts.netloc}{parts.path}", "query": query, "model": model,
            "key_fingerprint": fingerprint(auth.removeprefix("Bearer ")) if auth else None,
            "headers": dict(sorted(sent.items()))}


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection; after CONNECT it goes on under TLS as if it had been made to that host."""
    protocol_version = "HTTP/1.1"
    origin = None

    def log_message(self, *_):
        pass

    def do_CONNECT(self):
        self.send_response(200)
        self.end_headers()
        try:
            self.connection = self.server.tls.wrap_socket(self.connection, server_side=True)
        except (OSError, ssl.SSLError):
            self.close_connection = True
            return
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", 0)
        self.origin = "https://" + self.path.removesuffix(":443")
        self.close_connection = False

    def answer(self):
        length = min(int(self.headers.get("content-length") or 0), BODY_BYTES_MAX)
        body = self.rfile.read(length)
        url = self.path if "://" in self.path else (self.origin or "http://" + self.headers["host"]) + self.path
        self.server.requests.append(describe(self.command, url, self.headers, body))
        path = urllib.parse.urlsplit(url).path
        if self.headers.get("upgrade", "").lower() == "websocket":
            self.give(426, {"Content-Type": "text/plain"}, "HTTP only")
        elif path.endswith("/wham/accounts/check"):
            account = {"id": "acct-test", "workspace_backend_origin": "https://chatgpt.com",
                       "account_routing_override": "us"}
            self.give(200, {"Content-Type": "application/json"}, json.dumps({"accounts": [account]}))
        elif self.command == "POST":
            scenarios = self.server.scenarios
            chosen = scenarios.get(path.split("/")[1], scenarios["ok"])
            self.give(chosen["status"], chosen["headers"], chosen["body"])
        else:
            self.give(404, {"Content-Type": "application/json"}, "{}")

    do_GET = do_POST = do_HEAD = answer

    def give(self, status, headers, text):
        body = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that ends in the middle of an answer is none of this test's business."""


class Recorder:
    """`with Recorder(folder) as recorder`: recorder.url, recorder.ca, recorder.take()."""

    def __init__(self, folder):
        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.server.requests = []
        with open(SCENARIOS, encoding="utf-8") as file:
            self.server.scenarios = json.load(file)
        self.ca, self.server.tls = make_authority(folder)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def take(self):
        """The requests since the last call, oldest first."""
        requests, self.server.requests = self.server.requests, []
        return requests
