"""What the fault tests run against: certificates of their own, and real programs on loopback. Everything is started
here and ended here, by its own process."""
import http.server
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.dont_write_bytecode = True
from harness.ports import free_port  # noqa: E402

ANSWER = json.dumps({"id": "chatcmpl-1", "object": "chat.completion", "model": "m", "choices": [
    {"index": 0, "message": {"role": "assistant", "content": "pong"}, "finish_reason": "stop"}]}).encode()
CA_CNF = """
[ca]
default_ca = own
[own]
database = {folder}/index.txt
new_certs_dir = {folder}
default_md = sha256
policy = any
unique_subject = no
rand_serial = yes
[any]
organizationName = optional
commonName = supplied
"""


class Missing(Exception):
    """A program that is not on this machine."""


def program(name, unpacked=()):
    for folder in unpacked:
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not found:
        raise Missing(f"{name} is not installed")
    return found


class Certificates:
    """A root, an intermediate and strangers, and host certificates with one thing wrong each."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "index.txt").touch()
        (folder / "ca.cnf").write_text(CA_CNF.format(folder=folder))
        self.root("root", "/O=Fault Tests/CN=Fault Root")
        self.root("stranger", "/O=Some Company/CN=Some Company Root")
        self.root("inspector", "/O=Zscaler Inc./CN=Zscaler Root CA")
        self.root("self", "/CN=localhost", "subjectAltName=DNS:localhost,IP:127.0.0.1")
        self.issue("middle", "/O=Fault Tests/CN=Fault Intermediate", "root", "basicConstraints=critical,CA:TRUE")
        here = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        self.issue("good", "/CN=localhost", "root", here)
        self.issue("expired", "/CN=localhost", "root", here, "20240101000000Z", "20240301000000Z")
        self.issue("early", "/CN=localhost", "root", here, "20450101000000Z", "20460101000000Z")
        self.issue("elsewhere", "/CN=elsewhere", "root", "subjectAltName=DNS:one.example.org,DNS:two.example.org")
        self.issue("strange", "/CN=localhost", "stranger", here)
        self.issue("inspected", "/CN=localhost", "inspector", here)
        self.issue("deep", "/CN=localhost", "middle", here)
        (folder / "gap.pem").write_text(self.text("deep") + self.text("root"))

    def text(self, name):
        return (self.folder / f"{name}.pem").read_text()

    def path(self, name, kind="pem"):
        return str(self.folder / f"{name}.{kind}")

    def hashed(self, name):
        """A folder with that certificate alone, as OpenSSL looks certificates up."""
        folder = self.folder / f"{name}.d"
        folder.mkdir()
        shutil.copy(self.path(name), folder)
        self.openssl("rehash", str(folder))
        return str(folder)

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, cwd=self.folder)

    def key(self, name):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{name}.key"]

    def root(self, name, subject, extension="basicConstraints=critical,CA:TRUE"):
        self.openssl("req", "-x509", *self.key(name), "-days", "3650", "-subj", subject, "-addext", extension,
                     "-out", f"{name}.pem")

    def issue(self, name, subject, issuer, extension, begin="20250101000000Z", end="20440101000000Z"):
        self.openssl("req", "-new", *self.key(name), "-subj", subject, "-out", f"{name}.csr")
        (self.folder / f"{name}.ext").write_text(extension + "\n")
        self.openssl("ca", "-batch", "-notext", "-config", "ca.cnf", "-keyfile", f"{issuer}.key", "-cert", f"{issuer}.pem",
                     "-in", f"{name}.csr", "-out", f"{name}.pem", "-extfile", f"{name}.ext", "-startdate", begin,
                     "-enddate", end)


class Recorder:
    """An HTTP server that answers as the mode in the path says, and keeps all that came. As a proxy it answers CONNECT
    with a redirect to the port `away`. The mode STATUS-PORT redirects there, `proof-PORT` all but the POST."""

    def __init__(self, certificate=None, away=0):
        self.requests = []
        recorder = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self):
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length)
                recorder.requests.append(f"{self.requestline}\n{self.headers}\n{body.decode('latin-1')}")
                mode = self.path.split("//")[-1].split("/")[1] if "/" in self.path else ""
                status, extra = (int(mode[:3]), mode[4:]) if mode[:3].isdigit() else (200, "")
                if mode.startswith("proof-"):
                    status, extra = (401, "") if self.command == "POST" else (302, mode[6:])
                if self.command == "CONNECT" and away:
                    status, extra = 302, away
                kind, text = ("text/html", b"<html><title>Sign in</title>Log in to this network</html>") \
                    if mode == "html" else ("application/json", ANSWER)
                self.send_response(status)
                if extra:
                    self.send_header("Location", f"http://127.0.0.1:{extra}/stolen")
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_CONNECT = respond

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True,
                                                     do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Programs:
    """Processes by their own ids, ended when the block is left."""

    def __init__(self, folder):
        self.folder, self.started, self.sockets = folder, [], []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.started:
            process.terminate()
        for process in self.started:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for taken in self.sockets:
            taken.close()

    def spawn(self, command, **more):
        log = open(self.folder / f"program{len(self.started)}.log", "wb")
        with log:
            process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=log, stderr=log,
                                       cwd=self.folder, start_new_session=True, **more)
        self.started.append(process)
        return process

    def listening(self, command, port, **more):
        """Starts a program and waits until it accepts connections."""
        process = self.spawn(command, **more)
        end = time.monotonic() + 15
        while time.monotonic() < end and process.poll() is None:
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    return port
            time.sleep(0.02)
        log = self.folder / f"program{len(self.started) - 1}.log"
        raise RuntimeError(f"{command[0]} does not listen: {log.read_text(errors='replace')[-800:]}")

    def tls(self, certificates, name, *more, chain=None):
        port = free_port()
        extra = ["-cert_chain", certificates.path(chain)] if chain else []
        return self.listening(["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-quiet", "-cert",
                               certificates.path(name), "-key", certificates.path(name, "key"), *extra, *more], port)

    def tinyproxy(self, more=""):
        port = free_port()
        conf = self.folder / f"tinyproxy{port}.conf"
        conf.write_text(f"Port {port}\nListen 127.0.0.1\nTimeout 5\nMaxClients 20\nLogLevel Critical\n{more}\n")
        return self.listening([program("tinyproxy"), "-d", "-c", conf], port)

    def squid(self, peers, access):
        port = free_port()
        folder = self.folder / f"squid{port}"
        folder.mkdir()
        folder.chmod(0o777)
        home = next((peer / "squid" for peer in peers if (peer / "squid").is_dir()), pathlib.Path("/"))
        share = home / "usr/share/squid"
        conf = folder / "squid.conf"
        conf.write_text(f"http_port 127.0.0.1:{port}\n{access}\npid_filename none\ncache_log {folder}/cache.log\n"
                        f"unlinkd_program {home}/usr/lib/squid/unlinkd\nlogfile_daemon {home}/usr/lib/squid/log_file_daemon\n"
                        f"access_log none\ncache_store_log none\ncache_mem 8 MB\nmime_table {share}/mime.conf\n"
                        f"icon_directory {share}/icons\nerror_directory {home}/usr/share/squid-langpack/en\nshutdown_lifetime 0 seconds\n"
                        "pinger_enable off\nvisible_hostname fault.test\ndns_nameservers 127.0.0.1\n"
                        f"coredump_dir {folder}\nmax_filedescriptors 256\nworkers 1\nconnect_timeout 1 second\n"
                        f"{'cache_effective_user nobody' if os.getuid() == 0 else ''}\n")
        libraries = ":".join(str(path.parent) for path in home.glob("usr/lib/*/libecap.so.3"))
        # Its shared memory is named after the service: what a squid that was killed left behind stops none of ours.
        return self.listening([program("squid", [home / "usr/sbin"]), "-N", "-n", f"fault{port}", "-f", conf], port,
                              env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LD_LIBRARY_PATH": libraries})

    def microsocks(self, *more):
        port = free_port()
        return self.listening([program("microsocks"), "-i", "127.0.0.1", "-p", port, *more], port)

    def closed(self):
        """A port that is taken and refuses."""
        taken = socket.socket()
        taken.bind(("127.0.0.1", 0))
        self.sockets.append(taken)
        return taken.getsockname()[1]

    def silent(self, kind=socket.SOCK_STREAM):
        """A port that takes connections and never says a word."""
        taken = socket.socket(type=kind)
        taken.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            taken.listen(64)
        self.sockets.append(taken)
        return taken.getsockname()[1]
