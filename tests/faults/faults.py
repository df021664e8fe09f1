#!/usr/bin/env python3
"""Breaks the network in known ways, with real programs, and looks at what is diagnosed.

usage: faults.py [--build DIR] [NAME ...]

Each fault is a target, a server or network that fails in one way, and what must be said of it: diagnosis, rule, failed
step, blame, exit code, and words of the verdict. Each run must end within its --timeout. No output may hold the key, and
no host but the configured one may have seen it. Prints a line for each failure and `N passed, M failed, K skipped`.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from servers import ANSWER, Certificates, Missing, Programs, Recorder

HERE = pathlib.Path(__file__).resolve().parent
KEY = "sk-fault-Hq7Lm2Xv9Rt4Nb6Kd1Wz8Py3"
NEIGHBOUR_KEY = "sk-beside-Jt5Ws8Cq1Gn4Zx7Mv2Bk9Rd"
PROXY_PASSWORD = "pr0xy-Secret-71"
TIMEOUT_S = 2
SLACK_S = 5.0  # to start, to load the rules, and for other tests at the same time
def name_of_loopback():
    """Proxies resolve the host themselves, and take the first address: localhost where it stands for 127.0.0.1 alone."""
    try:
        addresses = {found[4][0] for found in socket.getaddrinfo("localhost", 1)}
    except OSError:
        addresses = set()
    return "localhost" if addresses == {"127.0.0.1"} else "127.0.0.1"


LOOPBACK = name_of_loopback()
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


class Fault:
    def __init__(self, name, url, *, diagnosis, step=None, exit_code=3, blame="network", rule=None, says=(), lacks=(),
                 ca="root", env=None, config="", network=None, details=None, inside=None):
        self.name, self.url, self.diagnosis, self.step, self.exit_code = name, url, diagnosis, step, exit_code
        self.blame, self.rule, self.says, self.lacks, self.ca = blame, rule, says, lacks, ca
        self.env, self.config, self.network, self.inside = env or {}, config, network or {}, inside
        self.details = details or {}  # what steps say of themselves


def of_tls(certificates, programs):
    def at(port, host="localhost"):
        return f"https://{host}:{port}/v1"
    cert = dict(diagnosis="tls_certificate", step="tls")
    hand = dict(diagnosis="tls_handshake", step="tls")
    tls = lambda name, *more, **kw: programs.tls(certificates, name, *more, **kw)
    weak = ["-cipher", "DEFAULT:@SECLEVEL=0"]
    good = tls("good")
    yield Fault("expired", at(tls("expired")), **cert, rule="verify-expired", says=["2024-03-01", "date -u"],
                network={"tls_not_after": "2024-03-01 00:00 UTC"})
    yield Fault("not yet valid", at(tls("early")), **cert, rule="verify-not-yet-valid", says=["2045-01-01", "clock"])
    yield Fault("self-signed", at(tls("self")), **cert, rule="verify-self-signed", says=["CN=localhost"])
    yield Fault("wrong host", at(tls("elsewhere")), **cert, rule="verify-host",
                says=["one.example.org, two.example.org", "localhost"])
    yield Fault("wrong address", at(tls("elsewhere"), "127.0.0.1"), **cert, rule="verify-host", says=["one.example.org"])
    yield Fault("unknown issuer", at(tls("strange")), **cert, rule="verify-issuer", says=["CN=Some Company Root", "openssl s_client"])
    yield Fault("company inspection", at(tls("inspected")), **cert, rule="verify-inspection", says=["Zscaler", "inspect"])
    yield Fault("intermediate missing", at(tls("deep")), **cert, rule="verify-issuer",
                says=["CN=Fault Intermediate", "does not send its intermediate"], network={"tls_chain": "alone"})
    yield Fault("intermediate missing in a chain", at(tls("deep", chain="root")), **cert, rule="verify-incomplete",
                says=["CN=Fault Intermediate", "incomplete", "fullchain"], network={"tls_chain": "gap"})
    yield Fault("CA file of somebody else", at(good), **cert, ca="stranger", rule="verify-issuer",
                says=["CN=Fault Root", "stranger.pem", "config.toml"])
    yield Fault("CA by SSL_CERT_FILE of somebody else", at(good), **cert, ca=None, rule="verify-issuer",
                env={"SSL_CERT_FILE": certificates.path("stranger")}, says=["env:SSL_CERT_FILE"])
    yield Fault("unusable SSL_CERT_FILE", at(good), ca=None, env={"SSL_CERT_FILE": "/no/such.pem"}, exit_code=1,
                blame="ours", step="config", diagnosis="config_parse_error", says=["/no/such.pem", "SSL_CERT_FILE"])
    yield Fault("unusable SSL_CERT_DIR", at(good), ca=None, env={"SSL_CERT_DIR": "/no/such"}, exit_code=1,
                blame="ours", step="config", diagnosis="config_parse_error", says=["/no/such", "SSL_CERT_DIR"])
    yield Fault("TLS 1.0 only", at(tls("good", "-tls1", *weak)), **hand, rule="tls-old-version", says=["TLSv1.0"])
    yield Fault("TLS 1.1 only", at(tls("good", "-tls1_1", *weak)), **hand, rule="tls-old-version", says=["TLSv1.1"])
    wants = ["-Verify", "1", "-verify_return_error", "-CAfile", certificates.path("root")]
    for version in ["-tls1_2", "-tls1_3"]:
        yield Fault(f"client certificate wanted {version}", at(tls("good", version, *wants)), diagnosis="tls_certificate",
                    rule="tls-client-certificate", says=["mutual TLS"])
    yield Fault("https on the http port", f"http://localhost:{good}/v1", diagnosis="connection_reset", step="http")
    yield Fault("no TLS, no word", at(programs.silent()), diagnosis="timeout", step="tls")


def of_proxies(certificates, programs, peers, plain, secure):
    host = f"https://{LOOPBACK}:{secure.port}/ok/v1"
    over_http = f"http://{LOOPBACK}:{plain.port}/ok/v1"
    login = programs.tinyproxy(f"BasicAuth person {PROXY_PASSWORD}")
    narrow = programs.tinyproxy("ConnectPort 1")
    working = programs.tinyproxy()
    closed = programs.closed()
    auth = dict(diagnosis="proxy_auth", step="connect")
    fails = dict(diagnosis="proxy_failure", step="connect")
    fine = dict(diagnosis="ok", exit_code=0, blame="none")

    def through(name, url, proxy, variable="https_proxy", **kw):
        return Fault(name, url, env={variable: proxy}, network={"proxy_origin": f"env:{variable}"}, **kw)
    yield Fault("CA by SSL_CERT_FILE", host, ca=None, env={"SSL_CERT_FILE": certificates.path("root")}, **fine)
    yield Fault("CA by SSL_CERT_DIR", host, ca=None, env={"SSL_CERT_DIR": f"/no/such:{certificates.hashed('root')}"}, **fine)
    yield Fault("CA by SSL_CERT_DIR of somebody else", host, ca=None, diagnosis="tls_certificate", step="tls",
                env={"SSL_CERT_DIR": certificates.hashed("stranger")}, rule="verify-issuer")
    yield through("tinyproxy", host, f"http://127.0.0.1:{working}", **fine)
    yield through("tinyproxy with a login", host, f"http://person:{PROXY_PASSWORD}@127.0.0.1:{login}", "HTTPS_PROXY", **fine)
    yield through("tinyproxy with a login, no scheme", host, f"person:{PROXY_PASSWORD}@127.0.0.1:{login}", **fine)
    yield through("tinyproxy without its login", host, f"http://127.0.0.1:{login}", **auth, rule="curl-proxy-status-407",
                  says=[f"http://127.0.0.1:{login}", "env:https_proxy"])
    yield through("tinyproxy forbids CONNECT", host, f"http://127.0.0.1:{narrow}", "HTTPS_PROXY",
                  diagnosis="captive_portal_or_filter", rule="curl-proxy-status-403", says=["env:HTTPS_PROXY", LOOPBACK])
    yield through("tinyproxy cannot reach the host", f"https://{LOOPBACK}:{closed}/v1", f"http://127.0.0.1:{working}",
                  **fails, says=["env:https_proxy"])
    yield through("plain HTTP through tinyproxy", over_http, f"http://127.0.0.1:{working}", "http_proxy", **fine)
    yield through("tinyproxy answers a page", f"http://{LOOPBACK}:{closed}/v1", f"http://127.0.0.1:{working}", "http_proxy",
                  diagnosis="proxy_failure", rule="proxy-own-page", says=["reads the key", "env:http_proxy"])
    yield through("tinyproxy without its login, plain HTTP", over_http, f"http://127.0.0.1:{login}", "http_proxy",
                  diagnosis="proxy_auth")
    yield through("dead proxy", host, f"http://127.0.0.1:{closed}", **fails, rule="proxy-refused",
                  says=[f"http://127.0.0.1:{closed}", "env:https_proxy"])
    yield Fault("dead proxy of the configuration", host, config=f'proxy = "http://127.0.0.1:{closed}"', **fails,
                rule="proxy-refused", says=["config.toml:"])
    yield through("proxy of an unknown name", host, "http://proxy.invalid:3128", diagnosis="proxy_failure", step="dns",
                  rule="curl-resolve-proxy", says=["proxy.invalid"])
    yield through("silent proxy", host, f"http://127.0.0.1:{programs.silent()}", **fails, says=["env:https_proxy"])
    yield Fault("NO_PROXY goes past a dead proxy", host, **fine,
                env={"https_proxy": f"http://127.0.0.1:{closed}", "NO_PROXY": LOOPBACK})
    yield through("dead proxy of ALL_PROXY", host, f"http://127.0.0.1:{closed}", "ALL_PROXY", **fails, says=["env:ALL_PROXY"])
    denied = programs.squid(peers, "http_access deny all")
    yield through("squid forbids CONNECT", host, f"http://127.0.0.1:{denied}", diagnosis="captive_portal_or_filter",
                  step="connect", rule="curl-proxy-status-403")
    yield through("squid forbids with a page", over_http, f"http://127.0.0.1:{denied}", "http_proxy",
                  diagnosis="captive_portal_or_filter")
    allowed = programs.squid(peers, "acl here src 127.0.0.1\nhttp_access allow here")
    yield through("squid cannot reach the host", f"https://{LOOPBACK}:{closed}/v1", f"http://127.0.0.1:{allowed}", **fails)
    yield Fault("plain HTTP on the https port", f"https://{LOOPBACK}:{allowed}/v1", diagnosis="tls_handshake", step="tls",
                rule="tls-speaks-http", says=["there is no TLS on it"])

    yield through("squid", host, f"http://127.0.0.1:{allowed}", **fine)
    socks = programs.microsocks()
    locked = programs.microsocks("-u", "person", "-P", PROXY_PASSWORD)
    for scheme in ["socks5", "socks5h"]:
        yield through(f"microsocks by {scheme}", host, f"{scheme}://127.0.0.1:{socks}", **fine)
    yield through("microsocks with a login", host, f"socks5h://person:{PROXY_PASSWORD}@127.0.0.1:{locked}", **fine)
    yield through("microsocks without its login", host, f"socks5h://127.0.0.1:{locked}", **auth, rule="socks-login")
    yield through("microsocks with a wrong login", host, f"socks5h://person:{PROXY_PASSWORD}x@127.0.0.1:{locked}", **auth,
                  rule="socks-login")
    yield through("microsocks cannot reach the host", f"https://{LOOPBACK}:{closed}/v1", f"socks5h://127.0.0.1:{socks}",
                  **fails, rule="socks-refuses")
    yield through("SOCKS 4 is not what microsocks speaks", host, f"socks4://127.0.0.1:{socks}", **fails)
    yield through("SOCKS against an HTTP proxy", host, f"socks5h://127.0.0.1:{working}", **fails)


def of_connections(programs, plain):
    closed = programs.closed()
    yield Fault("nothing listens", f"http://127.0.0.1:{closed}/v1", diagnosis="connection_refused", step="connect")
    yield Fault("connected, and silent", f"http://127.0.0.1:{programs.silent()}/v1", diagnosis="timeout", step="http")
    yield Fault("login page", f"http://127.0.0.1:{plain.port}/html/v1", diagnosis="captive_portal_or_filter")


def of_networks(certificates):
    """Faults that need a network of their own: resolvers, routes, packet filters."""
    def named(name, host, dnsmasq=(), **kw):
        return Fault(name, f"http://{host}/v1", inside={"dnsmasq": list(dnsmasq), **kw.pop("inside", {})}, **kw)
    dns = dict(diagnosis="dns_failure", step="dns")
    yield named("no such name", "api.example.com", ["--address=/example.com/"], **dns, rule="dns-nxdomain",
                says=["getent hosts api.example.com"], network={"dns_result": "nxdomain"})
    yield named("resolver refuses", "api.example.com", **dns, rule="dns-server-failure", network={"dns_result": "refused"})
    yield named("slow resolver", "api.example.com", ["--server=127.0.0.1#5353"], inside={"silent_udp": [5353]}, **dns,
                rule="dns-silence")
    yield Fault("no resolver", "http://api.example.com/v1", inside={}, **dns, rule="dns-silence", says=["/etc/resolv.conf"],
                network={"dns_result": "no_server"})
    yield named("fake address", "api.example.com", ["--address=/api.example.com/198.18.0.7"], diagnosis="connection_refused",
                inside={"addresses": ["198.18.0.7/32"]}, says=["198.18.0.0/15"], network={"dns_address": "fake_ip"})
    yield named("private address of a public name", "api.example.com", ["--address=/api.example.com/10.9.8.7"],
                inside={"addresses": ["10.9.8.7/32"]}, diagnosis="connection_refused", says=["private address"])
    yield named("public name that leads here", "api.example.com", ["--address=/api.example.com/127.0.0.1"],
                diagnosis="connection_refused", says=["/etc/hosts"])
    yield named("IPv6 without a route", "api.example.com", ["--address=/api.example.com/2001:db8::1"], step="connect",
                diagnosis="network_unreachable", says=["IPv6 has no route"], network={"families": "ipv6", "no_route": "ipv6"})
    yield named("IPv6 without a route, IPv4 refused", "api.example.com", step="connect", diagnosis="connection_refused",
                dnsmasq=["--address=/api.example.com/2001:db8::1", "--address=/api.example.com/127.0.0.1"],
                says=["it is IPv4 that failed"])
    both = ["--address=/gateway.test/::1", "--address=/gateway.test/127.0.0.1"]
    fine = dict(diagnosis="ok", exit_code=0, blame="none")

    def answered(name, dnsmasq, by, connect, **network):
        return named(name, "gateway.test", dnsmasq, inside={"http": {"addresses": by, "answer": ANSWER.decode()}},
                     network=network, details={"connect": connect}, **fine)
    yield answered("IPv6 refused, IPv4 answers", both, ["127.0.0.1"], "IPv4 127.0.0.1:80; IPv6 did not connect",
                   family="ipv4", families="ipv4 ipv6", no_route=None)
    yield answered("IPv4 refused, IPv6 answers", both, ["::1"], "IPv6 [::1]:80", family="ipv6", no_route=None)
    yield answered("IPv6 alone answers", both[:1], ["::1"], "IPv6 [::1]:80", family="ipv6", families="ipv6")
    yield answered("IPv6 without a route, IPv4 answers", ["--address=/gateway.test/2001:db8::1", both[1]], ["127.0.0.1"],
                   "IPv4 127.0.0.1:80", family="ipv4", families="ipv4")
    yield named("both refused", "gateway.test", both, diagnosis="connection_refused", step="connect",
                says=["IPv4 and IPv6 were both tried"], network={"families": "ipv4 ipv6", "family": None})
    yield Fault("inspection of a public provider", "https://api.openai.com/v1", diagnosis="tls_certificate", step="tls",
                inside={"dnsmasq": ["--address=/api.openai.com/127.0.0.1"],
                        "tls": [certificates.path("strange"), certificates.path("strange", "key")]},
                says=["looks like company inspection", "CN=Some Company Root"], rule="verify-issuer")
    yield Fault("no route", "http://192.0.2.1/v1", inside={}, diagnosis="network_unreachable", step="connect")
    rule = ["-A", "OUTPUT", "-p", "tcp", "--dport", "4444", "-j"]
    for name, more, diagnosis in [("packets dropped", ["DROP"], "timeout"),
                                  ("rejected as unreachable", ["REJECT", "--reject-with", "icmp-host-unreachable"],
                                   "network_unreachable"),
                                  ("rejected by a reset", ["REJECT", "--reject-with", "tcp-reset"], "connection_refused")]:
        yield Fault(name, "http://127.0.0.1:4444/v1", inside={"iptables": [rule + more]}, diagnosis=diagnosis,
                    step="connect")


class Runner:
    def __init__(self, build, folder, certificates):
        self.binary, self.folder, self.certificates = build / "diagnose", folder, certificates
        self.is_wrapped = "asan" in str(build)

    def run(self, fault):
        """Differences; None where it cannot be run here."""
        home = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        ca = f'ca_file = "{self.certificates.path(fault.ca)}"\n' if fault.ca else ""
        config = home / "config.toml"
        config.write_text(f'[[target]]\nname = "t"\nbase_url = "{fault.url}"\nwire = "chat"\nmodel = "m"\n'
                          f'key_env = "FAULT_KEY"\n{ca}{fault.config}\n')
        env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "FAULT_KEY": KEY, "LC_ALL": "C.UTF-8", **fault.env,
               **{name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}}
        command = [str(self.binary), "--config", str(config), "--timeout", f"{TIMEOUT_S}s", "--json"]
        if fault.inside is None:
            begun = time.monotonic()
            done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                                  timeout=60)
            result = {"exit": done.returncode, "stdout": done.stdout, "stderr": done.stderr,
                      "elapsed_ms": int((time.monotonic() - begun) * 1000)}
        else:
            result = self.run_inside(fault, home, command, env)
        if "missing" in result:
            return result["missing"], None
        return None, list(self.judge(fault, result))

    def run_inside(self, fault, home, command, env):
        spec = home / "spec.json"
        spec.write_text(json.dumps({**fault.inside, "command": command, "env": env}))
        unshare = ["unshare", "-n", "-m"] if os.getuid() == 0 else ["unshare", "-r", "-n", "-m"]
        done = subprocess.run([*unshare, sys.executable, str(HERE / "inside.py"), str(spec)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=90)
        try:
            return json.loads(done.stdout)
        except ValueError:
            return {"missing": f"no network of its own: {done.stderr.strip()[-300:]}"}

    def judge(self, fault, result):
        shown = result["stdout"] + result["stderr"]
        for secret in [KEY, NEIGHBOUR_KEY, PROXY_PASSWORD]:
            if secret in shown:
                yield f"the output holds {secret}"
        if UNSAFE.search(shown):
            yield "the output holds a raw control character"
        limit = (TIMEOUT_S + SLACK_S) * (5 if self.is_wrapped else 1)
        if result["elapsed_ms"] > limit * 1000:
            yield f"took {result['elapsed_ms']} ms with a timeout of {TIMEOUT_S} s"
        if result["exit"] != fault.exit_code:
            yield f"exit {result['exit']}, expected {fault.exit_code}"
        try:
            report = json.loads(result["stdout"])
            target = report["targets"][0]
        except (ValueError, KeyError, IndexError) as error:
            yield f"no report: {error!r} {shown[:500]}"
            return
        failed = next((step["name"] for step in target["steps"] if step["status"] == "fail"), None)
        rules = [finding["rule"] for finding in target["findings"]]
        have = {"diagnosis": target["diagnosis"], "blame": target["blame"], "step": failed}
        want = {"diagnosis": fault.diagnosis, "blame": fault.blame, "step": fault.step or failed}
        if have != want:
            yield f"{have}, expected {want}"
        if fault.rule and fault.rule not in rules:
            yield f"rule {rules}, expected {fault.rule}"
        for key, value in fault.network.items():
            if target.get("network", {}).get(key) != value:
                yield f"network {target.get('network')}, expected {key} = {value}"
        details = {step["name"]: step.get("detail") for step in target["steps"]}
        for name, detail in fault.details.items():
            if details[name] != detail:
                yield f"step {name} says {details[name]!r}, expected {detail!r}"
        words = json.dumps(report["verdicts"], ensure_ascii=False)
        for text in fault.says:
            if text not in words:
                yield f"the verdict lacks {text!r}: {words}"


def check_keys(plain, secure, elsewhere, neighbour, gate):
    """The configured hosts have seen the key, which shows that the recorders work; no other host has."""
    if KEY not in "".join(secure.requests) or KEY not in "".join(plain.requests):
        yield "the configured hosts did not get the key"
    if elsewhere.requests:
        yield f"a host that nobody configured was asked: {elsewhere.requests[0][:200]}"
    for recorder, secret in [(neighbour, NEIGHBOUR_KEY), (gate, "CONNECT ")]:
        seen = "".join(recorder.requests)
        if secret not in seen:
            yield f"a recorder saw no {secret}"
        if KEY in seen:
            yield f"the key reached another than its host: {seen[:200]}"


def misdirections(certificates, programs, plain, elsewhere, neighbour, gate):
    """Wrong addresses. Somebody listens wherever a key could go astray: beside the host that is named with a typing
    error, on the port that is not the right one, where a redirect leads, at the proxy."""
    ours = dict(exit_code=1, blame="ours")
    for status in [301, 302, 303, 307, 308]:
        yield Fault(f"redirect {status} to another host", f"http://127.0.0.1:{plain.port}/{status}-{elsewhere.port}/v1",
                    diagnosis="wrong_endpoint", **ours)
    yield Fault("redirect of the free request that proves a key",
                f"http://127.0.0.1:{plain.port}/proof-{elsewhere.port}/v1", diagnosis="auth_invalid_key", **ours,
                config='provider = "openai"')
    beside = (f'[[target]]\nname = "beside"\nbase_url = "http://127.0.0.1:{neighbour.port}/v1"\nwire = "chat"\n'
              'model = "m"\nkey_env = "NEIGHBOUR_KEY"\n')
    env = {"NEIGHBOUR_KEY": NEIGHBOUR_KEY}
    yield Fault("host with a typing error", f"http://127.0.0.1.invalid:{neighbour.port}/v1", config=beside, env=env,
                diagnosis="dns_failure", step="dns")
    yield Fault("other port", f"http://127.0.0.1:{programs.closed()}/v1", config=beside, env=env,
                diagnosis="connection_refused", step="connect")
    yield Fault("another's certificate on the port", f"https://localhost:{programs.tls(certificates, 'elsewhere')}/v1",
                config=beside, env=env, diagnosis="tls_certificate", step="tls")
    proxy = f"http://127.0.0.1:{gate.port}"
    yield Fault("proxy redirects CONNECT", f"https://{LOOPBACK}:{programs.closed()}/v1", env={"https_proxy": proxy},
                diagnosis="proxy_failure", step="connect")
    yield Fault("plain HTTP through a proxy is redirected", f"http://api.example.com/307-{elsewhere.port}/v1",
                env={"http_proxy": f"http://127.0.0.1:{plain.port}"}, diagnosis="wrong_endpoint", **ours)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    build = options.build.resolve()
    peers = [build / "peers", build.parent / "peers"]
    passed = failed = skipped = 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
    folder.chmod(0o755)
    try:
        (folder / "ca").mkdir()
        certificates = Certificates(folder / "ca")
        plain, elsewhere, neighbour = Recorder(), Recorder(), Recorder()
        gate = Recorder(away=elsewhere.port)
        secure = Recorder((certificates.path("good"), certificates.path("good", "key")))
        faults = []
        with Programs(folder) as programs:
            groups = [of_tls(certificates, programs), of_connections(programs, plain), of_networks(certificates),
                      misdirections(certificates, programs, plain, elsewhere, neighbour, gate),
                      of_proxies(certificates, programs, peers, plain, secure)]
            for group in groups:
                try:
                    faults += group
                except Missing as missing:
                    skipped += 1
                    print(f"skipped: the rest of a group: {missing}")
            faults = [fault for fault in faults if not options.names or any(n in fault.name for n in options.names)]
            runner = Runner(build, folder, certificates)
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                for fault, (missing, differences) in zip(faults, pool.map(runner.run, faults)):
                    if missing:
                        skipped += 1
                        print(f"skipped: {fault.name}: {missing}")
                    elif differences:
                        failed += 1
                        print(f"not ok - {fault.name}", *differences, sep="\n    ")
                    else:
                        passed += 1
        differences = [] if options.names else list(check_keys(plain, secure, elsewhere, neighbour, gate))
        passed, failed = passed + (not differences), failed + bool(differences)
        for difference in differences:
            print(f"not ok - the key stays with its host\n    {difference}")
        for recorder in [plain, elsewhere, secure, neighbour, gate]:
            recorder.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
