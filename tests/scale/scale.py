#!/usr/bin/env python3
"""Many targets in one run: every one is asked, in order, no more at a time than agreed, over one connection where the host
speaks HTTP/2, and within the descriptors that the system gives.

usage: scale.py [--build DIR]

nginx stands before the scripted provider where TLS is wanted. The last line is `N passed, N failed`.
"""
import argparse
import collections
import json
import os
import pathlib
import resource
import socket
import struct
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
from harness import play  # noqa: E402
from harness.ports import free_ports  # noqa: E402

KEY = "sk-scale-Hq7Lm2Xv9Rt4Nb6Kd1Wz8Py3"
RUN_SECONDS_MAX = 60
SHARING = 30
CROWD = 1200
FEW_DESCRIPTORS = 200
TOGETHER = 100  # less than nginx lets share a connection
DATA_SEGMENTS_AT = 152  # of tcpi_data_segs_in in struct tcp_info, linux/tcp.h
NGINX = """
daemon off; worker_processes 1; %(user)s pid %(folder)s/pid; error_log %(folder)s/error;
worker_rlimit_nofile 4096;
events { worker_connections 2000; }
http {
    log_format short '$connection $server_protocol';
    access_log %(folder)s/access short;
    client_body_temp_path %(folder)s/b; proxy_temp_path %(folder)s/p; fastcgi_temp_path %(folder)s/f;
    uwsgi_temp_path %(folder)s/u; scgi_temp_path %(folder)s/s;
    ssl_certificate %(folder)s/cert.pem; ssl_certificate_key %(folder)s/key.pem;
    server { listen 127.0.0.1:%(second)d ssl http2; location / { proxy_pass http://127.0.0.1:%(provider)d; } }
    server { listen 127.0.0.1:%(first)d ssl; location / { proxy_pass http://127.0.0.1:%(provider)d; } }
}
"""


class Scale:
    def __init__(self, build, folder):
        self.diagnose = str(pathlib.Path(build, "diagnose").resolve())
        self.build, self.folder = pathlib.Path(build).resolve(), pathlib.Path(folder)
        self.passed = self.failed = 0
        self.env = {"PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8", "TEST_KEY": KEY}
        self.processes = []

    def check(self, about, want, have):
        if want == have:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL: {about}: wanted {want!r}, have {have!r}")

    def provide(self, delay_ms):
        """A scripted provider; (port, file of its requests)."""
        number = len(self.processes)
        script, requests = self.folder / f"script{number}", self.folder / f"requests{number}"
        script.write_text(f'[[reply]]\nhealthy = "any"\ndelay_ms = {delay_ms}\n', encoding="ascii")
        process = subprocess.Popen([self.diagnose, "demo", "--serve", "--script", script, "--requests", requests],
                                   env=self.env, stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        return int(process.stdout.readline().split()[2].rsplit(":", 1)[1]), requests

    def front(self, provider):
        """nginx with HTTP/2 on one port and without on another."""
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", self.folder / "key.pem", "-out", self.folder / "cert.pem", "-days", "2", "-subj",
                        "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        first, second = free_ports(2)
        ports = {"first": first, "second": second, "provider": provider, "folder": self.folder,
                 "user": "user root;" if os.geteuid() == 0 else ""}
        (self.folder / "nginx.conf").write_text(NGINX % ports, encoding="ascii")
        self.processes.append(subprocess.Popen([play.find_nginx(self.build), "-c", self.folder / "nginx.conf", "-p",
                                                self.folder], env=self.env, stderr=subprocess.DEVNULL))
        for port in [first, second]:
            self.wait_for(port)
        return first, second

    @staticmethod
    def wait_for(port):
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return

    def targets(self, count, url, more=""):
        path = self.folder / "config.toml"
        path.write_text("".join(f'[[target]]\nname = "t{n}"\nbase_url = "{url}/v1"\nwire = "chat"\nmodel = "m{n}"\n'
                                f'key_env = "TEST_KEY"\n{more}\n' for n in range(count)), encoding="ascii")
        return path

    def probe(self, config, *args, descriptors=None):
        def limit():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, descriptors)
        run = subprocess.run([self.diagnose, "probe", "--json", "--no-history", "--config", config, *args], env=self.env,
                             capture_output=True, text=True, timeout=RUN_SECONDS_MAX, preexec_fn=limit, check=False)
        self.check(f"no key in the output, {args}", False, KEY in run.stdout + run.stderr)
        return run.returncode, json.loads(run.stdout)

    def end(self):
        for process in self.processes:
            process.terminate()
            process.wait(30)


def arrived(requests):
    return [json.loads(line) for line in requests.read_text(encoding="utf-8").splitlines()]


def shared_host(s):
    """Models of one TLS host: one connection with HTTP/2, and overlap with either protocol."""
    provider, requests = s.provide(300)
    first, second = s.front(provider)
    access = s.folder / "access"
    ca = f'ca_file = "{s.folder / "cert.pem"}"'
    for about, port, protocol, connections in [("HTTP/2", second, "HTTP/2.0", 1), ("HTTP/1.1", first, "HTTP/1.1", SHARING)]:
        requests.write_text("", encoding="ascii")
        access.write_text("", encoding="ascii")
        code, report = s.probe(s.targets(SHARING, f"https://127.0.0.1:{port}", ca), "--per-host", "0")
        s.check(f"{about}: all answer", (0, ["ok"] * SHARING), (code, [t["diagnosis"] for t in report["targets"]]))
        lines = [line.split() for line in access.read_text(encoding="ascii").splitlines()]
        s.check(f"{about}: protocol", {protocol: SHARING}, dict(collections.Counter(line[1] for line in lines)))
        s.check(f"{about}: connections", connections, len({line[0] for line in lines}))
        came = arrived(requests)
        s.check(f"{about}: they overlap", True, max(line["in_flight"] for line in came) > SHARING / 2)
        s.check(f"{about}: each model once", sorted(f"m{n}" for n in range(SHARING)), sorted(line["model"] for line in came))


class Relay(threading.Thread):
    """Passes one connection on, and counts the segments with bytes in them that come from its client."""
    def __init__(self, port):
        super().__init__(daemon=True)
        self.listener, self.to, self.segments = socket.create_server(("127.0.0.1", 0)), port, None
        self.port = self.listener.getsockname()[1]
        self.start()

    @staticmethod
    def pass_on(source, sink):
        while chunk := source.recv(65536):
            sink.sendall(chunk)

    def run(self):
        with self.listener, self.listener.accept()[0] as client, socket.create_connection(("127.0.0.1", self.to)) as server:
            answers = threading.Thread(target=self.pass_on, args=(server, client), daemon=True)
            answers.start()
            self.pass_on(client, server)
            known = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
            self.segments, = struct.unpack_from("I", known, DATA_SEGMENTS_AT)
            server.shutdown(socket.SHUT_WR)
            answers.join(RUN_SECONDS_MAX)


def together(s):
    """Requests that begin at once on a shared connection leave in few segments, as do libcurl's notes on their answers."""
    provider, _ = s.provide(100)
    _, port = s.front(provider)
    relay = Relay(port)
    config = s.targets(TOGETHER, f"https://127.0.0.1:{relay.port}", f'ca_file = "{s.folder / "cert.pem"}"')
    code, report = s.probe(config, "--per-host", "0")
    relay.join(RUN_SECONDS_MAX)
    s.check("together: all answer", (0, {"ok": TOGETHER}),
            (code, dict(collections.Counter(t["diagnosis"] for t in report["targets"]))))
    s.check("together: a segment for several requests", True, relay.segments < TOGETHER / 4 or relay.segments)


def silent_handshake(s):
    """A host whose TLS never begins: every target fails there and none waits for another."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"
        code, report = s.probe(s.targets(6, url), "--per-host", "0", "--timeout", "1s")
    s.check("silent handshake", (3, {("timeout", "tls"): 6}),
            (code, dict(collections.Counter((t["diagnosis"], next(step["name"] for step in t["steps"]
                                                                  if step["status"] == "fail")) for t in report["targets"]))))
    s.check("silent handshake: one time-out, and what a handshake is waited for", True, report["duration_ms"] < 4000)


def crowd(s):
    """More targets than may be in flight, with many and with few descriptors."""
    provider, requests = s.provide(150)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for about, count, limits, least, most in [
            ("the soft limit is raised", CROWD, (FEW_DESCRIPTORS, hard), 100, 1000),
            ("the hard limit is kept", CROWD // 5, (FEW_DESCRIPTORS, FEW_DESCRIPTORS), 10, FEW_DESCRIPTORS // 3)]:
        requests.write_text("", encoding="ascii")
        config = s.targets(count, f"http://127.0.0.1:{provider}")
        code, report = s.probe(config, "--per-host", "0", descriptors=limits)
        came = arrived(requests)
        s.check(f"{about}: all answer", (0, {"ok": count}),
                (code, dict(collections.Counter(t["diagnosis"] for t in report["targets"]))))
        s.check(f"{about}: each is asked once", sorted(f"m{n}" for n in range(count)), sorted(r["model"] for r in came))
        peak = max(r["in_flight"] for r in came)
        s.check(f"{about}: in flight", True, least <= peak <= most or peak)
        s.check(f"{about}: the report keeps the order", [f"t{n}" for n in range(count)], [t["name"] for t in report["targets"]])


def order(s):
    provider, requests = s.provide(0)
    code, _ = s.probe(s.targets(40, f"http://127.0.0.1:{provider}"), "--per-host", "1")
    came = arrived(requests)
    s.check("one at a time, in the order of the file", (0, [f"m{n}" for n in range(40)], 1),
            (code, [r["model"] for r in came], max(r["in_flight"] for r in came)))


def ten_thousand(s):
    code, report = s.probe(s.targets(10000, "http://127.0.0.1:9"), "--dry-run")
    s.check("ten thousand targets are planned", (0, 10000), (code, report["plan"]["request_count"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="diagnose-scale-") as folder:
        scale = Scale(args.build, folder)
        try:
            for part in [shared_host, together, silent_handshake, crowd, order, ten_thousand]:
                part(scale)
        finally:
            scale.end()
    print(f"{scale.passed} passed, {scale.failed} failed")
    return 1 if scale.failed else 0


sys.exit(main())
