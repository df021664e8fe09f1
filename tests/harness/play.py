"""Plays one case: lays out its home, starts its servers, runs the binary, collects what came out and what the servers
saw. Judges nothing. Ends every process that it started, and no other."""
import contextlib
import dataclasses
import email.utils
import fcntl
import hashlib
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

from . import casefile, forms

# All keys of all cases look like these; no output may hold one.
KEY = "sk-test-Zq3vN8xLw2Rt7Yb5Kd9Fh1Jm"
OTHER_KEY = "sk-test-Uc6Pe4Sg0Ai8Ol2Mn7Bv3Xz5"
ANTHROPIC_KEY = "sk-ant-api03-test-Wy5Tr1Qa9Zx3Cv7Bn2Mk8Lp4Jh6Gf0Ds-EwRtYuIoAA"
KEYS = [KEY, OTHER_KEY, ANTHROPIC_KEY]

RUN_SECONDS_MAX = 60
# What some reader or other takes for a command, an end or markup.
HOSTILE = "::error::x\\n ]]> </script> | a=1;2 'q' \\\"r\\\" `c` %0A @all \\u202e \\u0000 \\ud800 # SKIP \\\\ 密钥 "
MEGABYTE = HOSTILE * (1 + (1 << 20) // len(HOSTILE))
SLOWER_WRAPPED = 10
NOBODY = 65534
DEFAULT_TARGET = """
[[target]]
name = "t"
base_url = "{base}"
wire = "{wire}"
model = "m"
key_env = "TEST_KEY"
"""
NGINX_CONF = """
daemon off;
worker_processes 1;
%(user)s
pid %(folder)s/nginx.pid;
error_log %(folder)s/error.log;
events { worker_connections 64; }
http {
    access_log %(folder)s/access.log;
    client_body_temp_path %(folder)s/body;
    proxy_temp_path %(folder)s/proxy;
    fastcgi_temp_path %(folder)s/fastcgi;
    uwsgi_temp_path %(folder)s/uwsgi;
    scgi_temp_path %(folder)s/scgi;
    %(http)s
    server {
        listen 127.0.0.1:%(port)d;
        %(server)s
    }
}
"""


class Skip(Exception):
    """Something that the case needs is not on this machine."""


class Broken(Exception):
    """The case cannot be run as written."""


class RawPeer:
    """The server of ill manners without TLS, one for all cases: it is started when the first one asks for it, and gone
    when the block is left."""

    def __init__(self, peers):
        self.program, self.starting, self.process, self.port = str(peers / "raw.py"), threading.Lock(), None, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.communicate()  # it ends with its standard input

    def url(self):
        with self.starting:
            if not self.process:
                self.process = subprocess.Popen([sys.executable, self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                self.port = int(self.process.stdout.readline())
        return f"http://127.0.0.1:{self.port}"


@dataclasses.dataclass
class Setting:
    binary: pathlib.Path
    wrap: list
    nginx: str
    peers: pathlib.Path
    raw: RawPeer
    kept_forms: pathlib.Path = None  # folder that keeps the files of all cases


@dataclasses.dataclass
class Run:
    command: list
    expected: dict  # the case's block, words filled in
    home: pathlib.Path
    secrets: list
    exit: int = 0
    stdout: bytes = b""
    stderr: bytes = b""
    elapsed_ms: int = 0
    is_wrapped: bool = False
    faults: list = dataclasses.field(default_factory=list)  # of the run itself: too long, a server that failed
    requests: list = dataclasses.field(default_factory=list)
    written: dict = dataclasses.field(default_factory=dict)  # path: bytes or None
    forms: dict = dataclasses.field(default_factory=dict)  # form: bytes or None


def find_nginx(build):
    """nginx as installed, or as unpacked beside the build or a build above it; "" when there is none."""
    for folder in [build, build.parent]:
        unpacked = folder / "peers" / "nginx" / "usr" / "sbin" / "nginx"
        if os.access(unpacked, os.X_OK):
            return str(unpacked)
    return shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin") or ""


def listening():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    return listener


class Servers:
    """The servers of one case, ended when the block is left."""

    def __init__(self, setting, folder, faults, is_watched):
        self.setting, self.folder, self.faults, self.is_watched = setting, folder, faults, is_watched
        self.watched = -1  # where requests can be read as they come
        self.processes, self.sockets, self.urls, self.logs = [], [], [], []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process, errors, is_ours in self.processes:
            if process.poll() is not None:
                self.faults.append(f"a server ended by itself with {process.returncode}")
            process.stdin.close()
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                self.faults.append("a server did not end when asked to")
            said = pathlib.Path(errors).read_bytes().decode("utf-8", "replace")
            if is_ours and (process.returncode not in (0, 130, 143, -signal.SIGTERM) or re.search(SANITIZER, said)):
                self.faults.append(f"the scripted provider ended with {process.returncode}: {said[-2000:]}")
        for item in self.sockets:
            item.close()
        if self.watched >= 0:
            os.close(self.watched)

    def spawn(self, command, is_ours=False, **more):
        errors = self.folder / f"server{len(self.processes)}.err"
        with open(errors, "wb") as sink:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=sink, cwd=self.folder,
                                       start_new_session=True, **more)
        self.processes.append((process, errors, is_ours))
        return process

    def first_line(self, process, form):
        line = process.stdout.readline().decode("utf-8", "replace")
        match = re.search(form, line)
        if not match:
            said = b"".join(pathlib.Path(errors).read_bytes() for _, errors, _ in self.processes)
            raise Broken(f"a server did not start: {line!r} {said.decode('utf-8', 'replace')[-1500:]}")
        return match.group(1)

    def scripted(self, script, count):
        path = self.folder / "script.toml"
        path.write_text(script, encoding="utf-8")
        started = []
        for i in range(count):
            log = self.folder / f"requests{i}.jsonl"
            self.logs.append(log)
            if self.is_watched:
                os.mkfifo(log)
                self.watched = os.open(log, os.O_RDWR)  # of the first server: opening it must not wait for the other end
            started.append(self.spawn([str(self.setting.binary), "demo", "--serve", "--script", str(path),
                                       "--requests", str(log)], is_ours=True, stdout=subprocess.PIPE,
                                      env={"PATH": os.environ.get("PATH", ""), "HOME": str(self.folder), **SANITIZER_ENV}))
        self.urls += [self.first_line(process, r"(http://127\.0\.0\.1:\d+)") for process in started]

    def real_nginx(self, server, http):
        if not self.setting.nginx:
            raise Skip("nginx is not installed")
        listener = listening()
        self.sockets.append(listener)
        port = listener.getsockname()[1]
        conf = self.folder / "nginx.conf"
        conf.write_text(NGINX_CONF % {"folder": self.folder, "port": port, "server": server, "http": http,
                                      "user": "user root root;" if os.getuid() == 0 else ""})
        # nginx takes over the descriptors that NGINX names, as in an upgrade of the binary: it need not be waited for.
        # (With `master_process off` it crashes on them.)
        self.spawn([self.setting.nginx, "-p", str(self.folder), "-c", str(conf)], pass_fds=[listener.fileno()],
                   stdout=subprocess.DEVNULL, env={"NGINX": f"{listener.fileno()};", "PATH": "/usr/sbin:/usr/bin:/bin"})
        self.urls.append(f"http://127.0.0.1:{port}")

    def raw(self, mode, has_tls):
        """A server of ill manners; what it does is the first part of the path."""
        self.urls.append(f"{self.raw_tls() if has_tls else self.setting.raw.url()}/{mode}")

    def raw_tls(self):
        """One with a certificate of its own, which ends with its standard input."""
        if not shutil.which("openssl"):
            raise Skip("openssl is not installed")
        tls = [str(self.folder / "cert.pem"), str(self.folder / "key.pem")]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                        "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                        "subjectAltName=IP:127.0.0.1", "-out", tls[0], "-keyout", tls[1]],
                       check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process = self.spawn([sys.executable, str(self.setting.peers / "raw.py"), "--tls", *tls], stdout=subprocess.PIPE)
        return f"https://127.0.0.1:{self.first_line(process, r'^([0-9]+)$')}"

    def nothing(self):
        """A port that is taken and refuses: bound, but not listening."""
        holder = socket.socket()
        holder.bind(("127.0.0.1", 0))
        self.sockets.append(holder)
        self.urls.append(f"http://127.0.0.1:{holder.getsockname()[1]}")

    def wait_for_request(self, seconds):
        """True when a request has come in."""
        return bool(select.select([self.watched], [], [], seconds)[0])

    def seen(self):
        requests = []
        if self.is_watched:
            return requests
        for log in self.logs:
            if log.exists():
                requests += [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        return sorted(requests, key=lambda request: request["time_ms"])


SANITIZER = r"ERROR: \w+Sanitizer|runtime error:|==\d+== |Sanitizer: "
SANITIZER_ENV = {name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}


def put_file(path, what):
    path.parent.mkdir(parents=True, exist_ok=True)
    what = {"text": what} if isinstance(what, str) else what
    if what.get("dir"):
        path.mkdir(exist_ok=True)
    elif "symlink" in what:
        path.symlink_to(what["symlink"])
    elif what.get("fifo"):
        os.mkfifo(path)
    elif "size" in what:
        with open(path, "wb") as file:
            file.truncate(what["size"])
    else:
        path.write_bytes(bytes.fromhex(what["hex"]) if "hex" in what else what.get("text", "").encode())
    if "mode" in what:
        path.chmod(what["mode"])


def words_of(case, servers, home):
    url = servers.urls[0] if servers.urls else "http://127.0.0.1:9"
    words = {f"url_{i}": each for i, each in enumerate(servers.urls)}
    words |= {"url": url, "port": re.search(r":(\d+)", url).group(1), "home": str(home), "key": KEY, "other_key": OTHER_KEY,
              "anthropic_key": ANTHROPIC_KEY, "folder": str(home.parent), "fingerprint": hashlib.sha256(KEY.encode()).hexdigest()[:8]}
    words["megabyte"] = MEGABYTE
    words |= case.words
    words["wire"] = words.get("wire", "responses")
    words["base"] = url if words["wire"] == "messages" else url + "/v1"
    return words


def config_of(block, words, has_server):
    """Text of the configuration file, or None for no file."""
    text = block.get("config", DEFAULT_TARGET if has_server and "target" not in block else "")
    for i in range(block.get("targets", 1 if "target" in block else 0)):
        url = words.get(f"url_{i}", words["url"])
        text += casefile.fill(block["target"], words | {"i": i, "url_i": url})
    return casefile.fill(text, words) or None


def start_servers(case, servers):
    block = case.block
    if "server" in block:
        # A script may speak of the time and of keys, never of its own port.
        now = time.time()
        words = case.words | {"key": KEY, "other_key": OTHER_KEY, "anthropic_key": ANTHROPIC_KEY}
        words |= {"60_KiB": "x" * 61440, "20_KiB": "x" * 20480, "60_KiB_nest": "[" * 61440}
        words |= {word: email.utils.formatdate(now + int(word[10:]), usegmt=True)
                  for word in re.findall(r"\{(http_date\+\d+)\}", block["server"])}
        servers.scripted(casefile.fill(block["server"], words), block.get("servers", 1))
    if "nginx" in block:
        words = case.words | {f"url_{i}": url for i, url in enumerate(servers.urls)}
        servers.real_nginx(casefile.fill(block["nginx"], words), casefile.fill(block.get("nginx_http", ""), words))
        servers.urls.insert(0, servers.urls.pop())
    if "raw" in block:
        servers.raw(casefile.fill(block["raw"], case.words), block.get("tls", False))
    if block.get("closed"):
        servers.nothing()


def environment(block, home):
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm", "TEST_KEY": KEY, "TZ": "UTC"}
    env |= {f"XDG_{name}_HOME": str(home / folder)
            for name, folder in (("CONFIG", ".config"), ("STATE", ".local/state"), ("CACHE", ".cache"),
                                 ("DATA", ".local/share"))}
    return {name: value for name, value in (env | block.get("env", {})).items() if value != "unset"} | SANITIZER_ENV


class Screen:
    """A terminal of 80 columns in place of stdout and stderr; all that is written to it comes out as stdout."""

    def __init__(self):
        try:
            self.outer, self.inner = pty.openpty()
        except OSError as error:
            raise Skip(f"no terminal can be opened: {error}") from error
        fcntl.ioctl(self.inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        attributes = termios.tcgetattr(self.inner)
        attributes[1] &= ~termios.OPOST  # line ends as written
        termios.tcsetattr(self.inner, termios.TCSANOW, attributes)
        self.pieces = []
        self.reader = threading.Thread(target=self.read)

    def watch(self):
        os.close(self.inner)
        self.reader.start()

    def read(self):
        with contextlib.suppress(OSError):  # EIO: the last writer has gone
            while piece := os.read(self.outer, 65536):
                self.pieces.append(piece)

    def shown(self):
        self.reader.join()
        os.close(self.outer)
        return b"".join(self.pieces)


def execute(run, env, servers, seconds):
    block = run.expected
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if block.get("as_nobody") and os.getuid() == 0 else {}
    stdin = bytes.fromhex(block["stdin_hex"]) if "stdin_hex" in block else block.get("stdin", "").encode()
    screen = Screen() if block.get("tty") else None
    output = screen.inner if screen else subprocess.PIPE
    sink = os.open(block["stdout_to"], os.O_WRONLY) if "stdout_to" in block else output
    started = time.monotonic()
    try:
        process = subprocess.Popen(run.command, env=env, cwd=run.home / block.get("cwd", "."), stdin=subprocess.PIPE,
                                   stdout=sink, stderr=output, start_new_session=True, **who)
    except PermissionError as error:
        raise Skip(f"an unprivileged user cannot reach the binary: {error}") from error
    if screen:
        screen.watch()
    if "interrupt" in block:
        if not servers.wait_for_request(seconds):
            run.faults.append("no request came, so nothing was interrupted")
        process.send_signal(signal.SIGINT)
    try:
        run.stdout, run.stderr = process.communicate(stdin, seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        run.stdout, run.stderr = process.communicate()
        run.faults.append(f"did not end within {seconds} s")
    if screen:
        run.stdout, run.stderr = screen.shown(), b""
    if "stdout_to" in block:
        os.close(sink)
        run.stdout = b""
    run.exit = process.returncode
    run.elapsed_ms = int((time.monotonic() - started) * 1000)


def prepare(block, env, setting, home):
    """The runs before the one that is judged, in the same home."""
    for args in block.get("before", []):
        done = subprocess.run([str(setting.binary)] + args, env=env, cwd=home, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=RUN_SECONDS_MAX)
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        if done.returncode < 0 or re.search(SANITIZER, said):
            raise Broken(f"the run before, {args}, ended with {done.returncode}: {said[-1500:]}")


@contextlib.contextmanager
def running(block, env, home):
    """A program that runs meanwhile under the case's name for it, started before or after the files were changed."""
    wanted = block.get("running")
    if not wanted:
        yield
        return
    now = time.time()
    for name in block.get("files", {}):
        when = now + 60 if name in wanted.get("changed", []) else now - 60
        os.utime(home / name, (when, when))
    process = subprocess.Popen([wanted["program"], "1000"], executable="/bin/sleep", cwd=home,
                               env={**env, **wanted.get("env", {})}, stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def read_written(run):
    for name in run.expected.get("writes", {}):
        path = run.home / name
        run.written[name] = path.read_bytes() if path.is_file() else b"(a FIFO)" if path.is_fifo() else None


def read_forms(run, folder):
    for form, ending in forms.ENDINGS.items() if folder else []:
        path = folder / f"report.{ending}"
        run.forms[form] = path.read_bytes() if path.is_file() else None


def keep_forms(run, case, kept):
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"{case.file} {case.name}")[:100]
    name += "-" + hashlib.sha256(case.name.encode()).hexdigest()[:8]
    for form, content in run.forms.items():
        if content is not None:
            (kept / f"{name}.{forms.ENDINGS[form]}").write_bytes(content)


def play(case, setting):
    """Runs a case and gives what happened. Raises Skip or Broken."""
    faults = []
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="diagnose-case-")))
        home = folder / "home"
        home.mkdir()
        servers = stack.enter_context(Servers(setting, folder, faults, "interrupt" in case.block))
        start_servers(case, servers)
        words = words_of(case, servers, home)
        block = casefile.fill(case.block, words)
        config = config_of(case.block, words, bool(servers.urls))
        files = {name: what for name, what in block.get("files", {}).items()}
        if config is not None:
            files[".config/diagnose/config.toml"] = config
        for name, what in files.items():
            put_file(home / name, what)
        if block.get("as_nobody"):
            folder.chmod(0o755)
        env = environment(block, home)
        secrets = KEYS + block.get("secrets", []) + [value for name, value in block.get("env", {}).items()
                                                     if re.search("KEY|TOKEN|SECRET", name) and len(value) >= 8]
        args = block.get("args", [])
        aside = folder / "forms"
        aside.mkdir()
        aside.chmod(0o777)
        more = forms.options(args, aside)
        run = Run(setting.wrap + [str(setting.binary)] + more + args, block, home, secrets, faults=faults,
                  is_wrapped=bool(setting.wrap))
        prepare(block, env, setting, home)
        with running(block, env, home):
            execute(run, env, servers, RUN_SECONDS_MAX * (SLOWER_WRAPPED if setting.wrap else 1))
        run.requests = servers.seen()
        read_written(run)
        read_forms(run, aside if more else None)
        if setting.kept_forms:
            keep_forms(run, case, setting.kept_forms)
    return run
