#!/usr/bin/env python3
"""Runs one command in a network of its own, as a fault test wants it.

usage: unshare -n -m inside.py SPEC.json

SPEC holds `addresses` for the loopback device, `dnsmasq` arguments (or none), `iptables` rules, `tls` for a certificate
and key to serve on port 443, `http` for an answer and the addresses to give it on at port 80, `resolv` for
/etc/resolv.conf, `command` and `env`. Prints a JSON object with exit, stdout, stderr and elapsed_ms, or with `missing`
where the kernel or a program does not allow it.
"""
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def must(*command):
    program = shutil.which(command[0], path=PATH)
    if not program:
        raise LookupError(f"{command[0]} is not installed")
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True, check=False)
    if done.returncode:
        raise LookupError(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")


def wait_for_port(port):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise LookupError(f"nothing listens on port {port}")


def serve(address, answer):
    """Answers every request on port 80 of that address, as long as this process lives."""
    listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    listener.bind((address, 80))
    listener.listen(16)

    def run():
        while True:
            peer, _ = listener.accept()
            with peer, peer.makefile("rb") as lines:
                length = 0
                for line in iter(lines.readline, b"\r\n"):
                    length = int(line.split(b":")[1]) if line.lower().startswith(b"content-length:") else length
                lines.read(length)
                peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                             b"Content-Length: %d\r\n\r\n%b" % (len(answer), answer))
    threading.Thread(target=run, daemon=True).start()


def main():
    spec = json.loads(pathlib.Path(sys.argv[1]).read_text())
    folder = pathlib.Path(tempfile.mkdtemp(dir=pathlib.Path(sys.argv[1]).parent))
    daemons, holders = [], []
    try:
        must("ip", "link", "set", "lo", "up")
        for address in spec.get("addresses", []):
            must("ip", "address", "add", address, "dev", "lo")
        for rule in spec.get("iptables", []):
            must("iptables", *rule)
        (folder / "resolv.conf").write_text(spec.get("resolv", "nameserver 127.0.0.1\n"))
        must("mount", "--bind", str(folder / "resolv.conf"), "/etc/resolv.conf")
        for port in spec.get("silent_udp", []):
            holder = socket.socket(type=socket.SOCK_DGRAM)
            holder.bind(("127.0.0.1", port))
            holders.append(holder)
        if "dnsmasq" in spec:
            program = shutil.which("dnsmasq", path=PATH)
            if not program:
                raise LookupError("dnsmasq is not installed")
            # With --no-daemon it also stays the user that it is: a namespace of an ordinary user knows no other.
            command = [program, "--no-daemon", "-C", "/dev/null", "--no-resolv", "--no-hosts", "--bind-interfaces",
                       "--listen-address=127.0.0.1", "--pid-file", "--log-facility=/dev/null", *spec["dnsmasq"]]
            daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            wait_for_port(53)
        for address in spec.get("http", {}).get("addresses", []):
            serve(address, spec["http"]["answer"].encode())
        if "tls" in spec:
            tls = subprocess.Popen(["openssl", "s_server", "-accept", "443", "-quiet", "-cert", spec["tls"][0], "-key",
                                    spec["tls"][1]], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            daemons.append(tls)
            wait_for_port(443)
        begun = time.monotonic()
        done = subprocess.run(spec["command"], env=spec["env"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False, timeout=60)
        print(json.dumps({"exit": done.returncode, "stdout": done.stdout, "stderr": done.stderr,
                          "elapsed_ms": int((time.monotonic() - begun) * 1000)}))
    except LookupError as error:
        print(json.dumps({"missing": str(error)}))
    finally:
        for daemon in daemons:
            daemon.terminate()
            daemon.wait()


if __name__ == "__main__":
    main()
