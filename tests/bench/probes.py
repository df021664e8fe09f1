#!/usr/bin/env python3
"""Figures, not tests: a thousand probes in one run, over HTTP and HTTPS, against other programs that send as much.

usage: probes.py --build DIR [--rounds N] [--json FILE]

nginx answers every request after 200 ms (its echo module keeps no thread waiting). The programs of a comparison run in
turn, so that a busy machine slows all of them; a figure is the ratio of medians. Server and clients share the machine.
"""
import json
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
import table  # noqa: E402
from harness import play  # noqa: E402
from harness.ports import free_ports  # noqa: E402

ROUNDS, COUNT = 5, 1000
DELAY_S = 0.2
ECHO_MODULE = "usr/lib/nginx/modules/ngx_http_echo_module.so"
ANSWER = json.dumps({"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [
    {"index": 0, "message": {"role": "assistant", "content": "pong"}, "finish_reason": "stop"}]})
NGINX = """
load_module %(module)s;
daemon off; master_process off; pid %(folder)s/pid; error_log %(folder)s/error crit; worker_rlimit_nofile 20000;
events { worker_connections 15000; multi_accept on; }
http {
    access_log off; keepalive_requests 1000000; http2_max_concurrent_streams 10000;
    client_body_temp_path %(folder)s/b; proxy_temp_path %(folder)s/p; fastcgi_temp_path %(folder)s/f;
    uwsgi_temp_path %(folder)s/u; scgi_temp_path %(folder)s/s;
    ssl_certificate %(folder)s/cert.pem; ssl_certificate_key %(folder)s/key.pem;
    server {
        listen 127.0.0.1:%(plain)d backlog=8192; listen 127.0.0.1:%(tls)d ssl http2 backlog=8192;
        location / { echo_read_request_body; echo_sleep %(delay)s; default_type application/json; echo '%(answer)s'; }
    }
}
"""


def find_module(build):
    places = [pathlib.Path("/", ECHO_MODULE), build / "peers" / "nginx" / ECHO_MODULE]
    return next((str(place) for place in places if place.exists()), None)


def run(command, env):
    """(wall seconds, CPU seconds, peak resident MiB, exit status) of one run and all that it starts."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    pid = os.posix_spawn(command[0], command, env, file_actions=[
        (os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)])
    _, status, usage = os.wait4(pid, 0)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


class Bench:
    def __init__(self, build, rounds, folder):
        self.folder, self.rounds, self.build = pathlib.Path(folder), rounds, build
        self.diagnose = str(build / "diagnose")
        self.env = {"PATH": "/usr/bin:/bin", "HOME": folder, "K": "sk-bench-0123456789abcdef"}
        self.plain, self.tls = free_ports(2)
        self.server = None

    def serve(self, module):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", self.folder / "key.pem", "-out", self.folder / "cert.pem", "-days", "2", "-subj",
                        "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        (self.folder / "nginx.conf").write_text(NGINX % {
            "module": module, "folder": self.folder, "plain": self.plain, "tls": self.tls, "delay": DELAY_S,
            "answer": ANSWER}, encoding="ascii")
        self.server = subprocess.Popen([play.find_nginx(self.build), "-c", self.folder / "nginx.conf", "-p", self.folder],
                                       stderr=subprocess.DEVNULL)
        for port in [self.plain, self.tls]:
            while socket.socket().connect_ex(("127.0.0.1", port)) and self.server.poll() is None:
                time.sleep(0.01)

    def ours(self, scheme, port):
        path = self.folder / f"{scheme}.toml"
        path.write_text(f'[defaults]\nca_file = "{self.folder}/cert.pem"\n' + "".join(
            f'[[target]]\nname = "t{n}"\nbase_url = "{scheme}://127.0.0.1:{port}/v1"\nwire = "chat"\nmodel = "m{n}"\n'
            f'key_env = "K"\n' for n in range(COUNT)), encoding="ascii")
        return [self.diagnose, "probe", "--config", str(path), "--per-host", "0", "--no-history"]

    def xargs(self):
        urls = self.folder / "urls"
        urls.write_text(f"http://127.0.0.1:{self.plain}/v1/chat/completions\n" * COUNT, encoding="ascii")
        return ["/usr/bin/xargs", "-a", str(urls), "-n", "1", "-P", str(COUNT), "/usr/bin/curl", "-s", "-o",
                "/dev/null", "-d", '{"model":"m"}']

    def bare(self, scheme, port):
        return [str(self.build / "bare"), f"{scheme}://127.0.0.1:{port}/v1/chat/completions", str(COUNT), f"{self.folder}/cert.pem"]

    def h2load(self, *more):
        return ["/usr/bin/h2load", "-n", str(COUNT), *more, "-d", str(self.folder / "http.toml.body"),
                f"https://127.0.0.1:{self.tls}/v1/chat/completions"]

    def compare(self, commands):
        """Medians (wall, CPU, MiB) of each command; a command that fails ends the bench."""
        figures = {name: [] for name in commands}
        for _ in range(self.rounds):
            for name, command in commands.items():
                *figure, status = run(command, self.env)
                if status != 0:
                    raise SystemExit(f"{name} ended with {status}")
                figures[name].append(figure)
        return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}


def rows_of(plain, tls):
    wall, cpu, peak = plain["diagnose"]
    tls_wall, _, tls_peak = tls["diagnose"]
    return [
        table.Row(f"{COUNT:,} HTTP probes of 200 ms, wall / 200 ms", wall / DELAY_S, 1.5, 1.15, is_less=True),
        table.Row("the same, wall / that of a bare libcurl loop, which looks at no answer", wall / plain["bare"][0], 1.2, 1, is_less=True),
        table.Row("the same, CPU time of xargs -P curl / ours", plain["xargs curl"][1] / cpu, 40, 100, f"{cpu * 1e3:.0f} ms"),
        table.Row("the same, peak memory, MB", peak, 40, 25, is_less=True),
        table.Row(f"{COUNT:,} HTTPS probes, wall / h2load's on one connection", tls_wall / tls["h2load, one connection"][0], 1.3, 1,
                  is_less=True),
        table.Row("the same / that of a bare libcurl loop on one connection", tls_wall / tls["bare"][0], 1.2, 1, is_less=True),
        table.Row("the same / h2load's on as many connections", tls_wall / tls["h2load, each its own"][0], 1.3, 1, is_less=True),
        table.Row("the same, peak memory, MB", tls_peak, 90, 60, is_less=True),
    ]


def measure(build, rounds):
    module = find_module(build)
    if not module or not os.path.exists("/usr/bin/h2load"):
        print("probes: not measured; needs libnginx-mod-http-echo and nghttp2-client", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory(prefix="diagnose-bench-") as folder:
        bench = Bench(build, rounds, folder)
        try:
            bench.serve(module)
            (bench.folder / "http.toml.body").write_text('{"model":"m"}', encoding="ascii")
            plain = bench.compare({"diagnose": bench.ours("http", bench.plain), "bare": bench.bare("http", bench.plain),
                                   "xargs curl": bench.xargs()})
            tls = bench.compare({"diagnose": bench.ours("https", bench.tls),
                                 "bare": bench.bare("https", bench.tls),
                                 "h2load, one connection": bench.h2load("-c", "1", "-m", str(COUNT)),
                                 "h2load, each its own": bench.h2load("-c", str(COUNT))})
        finally:
            bench.server.terminate()
            bench.server.wait(30)
    return rows_of(plain, tls)


if __name__ == "__main__":
    table.main(sys.modules[__name__], __doc__)
