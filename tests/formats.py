#!/usr/bin/env python3
"""Has the programs that really read a form read what the cases left in it, and tests what stands in man/examples.

usage: formats.py [--build DIR] [--forms DIR]

--forms is the folder that tests/run.py --forms filled. Readers: xmllint; Perl's prove; promtool, node_exporter's textfile
collector and Prometheus themselves, on loopback; systemd-analyze; shellcheck. Programs that are missing here are named
as skipped. Everything started is ended by its own pid. The last line is `N passed, N failed`.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
from harness.ports import free_ports  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "man" / "examples"
KEY = "sk-test-Zq3vN8xLw2Rt7Yb5Kd9Fh1Jm"
START_SECONDS_MAX = 30


class Formats:
    def __init__(self, build, forms, folder):
        self.diagnose = build / "diagnose"
        self.forms, self.folder = forms, folder
        self.peers = [folder / "peers" for folder in (build, build.parent)]
        self.passed = self.failed = self.skipped = 0

    def check(self, about, is_held, why=""):
        self.passed += bool(is_held)
        self.failed += not is_held
        if not is_held:
            print(f"failed: {about}: {str(why)[:3000]}")

    def program(self, name):
        """Where a program is, installed or unpacked beside the build; counted as skipped where it is not."""
        unpacked = [peers / package / where / name for peers in self.peers
                    for package in ("prometheus", "prometheus-node-exporter") for where in ("usr/bin", "usr/sbin")]
        found = next((str(path) for path in unpacked if os.access(path, os.X_OK)), None) or shutil.which(
            name, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
        if not found:
            self.skipped += 1
            print(f"skipped: {name} is not here")
        return found

    def kept(self, ending):
        return sorted(self.forms.glob(f"*.{ending}"))

    # ---- what the cases left ----

    def junit(self):
        if xmllint := self.program("xmllint"):
            for file in self.kept("xml"):
                run = call([xmllint, "--noout", str(file)])
                self.check(f"xmllint {file.name}", run.returncode == 0 and not run.stderr, run.stderr)

    def tap(self):
        if prove := self.program("prove"):
            files = self.kept("tap")
            run = call([prove, "--exec", "cat", *map(str, files)])
            tests = sum(len(re.findall(r"^(?:not )?ok \d", file.read_text(encoding="utf-8"), re.M)) for file in files)
            self.check("prove finds no error of form", "Parse errors" not in run.stdout, run.stdout)
            self.check(f"prove counts {tests} tests in {len(files)} files",
                       f"Files={len(files)}, Tests={tests}," in run.stdout, run.stdout[-300:])

    def prometheus(self):
        """All files as one, told apart by a label, since starting promtool for each takes long."""
        if promtool := self.program("promtool"):
            families = {}
            for number, file in enumerate(self.kept("prom")):
                for line in file.read_text(encoding="utf-8").splitlines():
                    name = re.match(r"# \w+ (\S+)|(\w+)", line)
                    head, samples = families.setdefault(name.group(1) or name.group(2), ([], []))
                    if line.startswith("#"):
                        head += [line] if line not in head else []
                    else:
                        samples.append(line.replace("{", f'{{file="{number}",', 1))
            whole = "".join("\n".join(head + samples) + "\n" for head, samples in families.values())
            run = call([promtool, "check", "metrics"], input=whole)
            self.check("promtool check metrics", run.returncode == 0 and not run.stdout + run.stderr, run.stdout + run.stderr)

    # ---- a real scrape ----

    def scrape(self):
        exporter, server = self.program("prometheus-node-exporter"), self.program("prometheus")
        if not exporter or not server:
            return
        textfiles = self.folder / "textfiles"
        textfiles.mkdir()
        config = self.folder / "config.toml"
        with demo_server(self.diagnose) as (port, env):
            config.write_text("".join(f'[[target]]\nname = "{name}"\nbase_url = "http://127.0.0.1:{port}/v1"\n'
                                      f'wire = "responses"\nmodel = "demo-{model}"\nkey_env = "TEST_KEY"\n'
                                      for name, model in (("good", "healthy"), ("odd \\\\ name", "overloaded"))))
            env |= {"HOME": str(self.folder), "TEST_KEY": KEY}
            run = call([str(self.diagnose), "--config", str(config), "--format", "json", "--format",
                        f"prometheus:{textfiles}/diagnose.prom"], env=env)
        self.check("a probe exits 2 for a target at capacity", run.returncode == 2, run.stderr)
        wanted = {'diagnose_probe_success{target="good"}': "1", 'diagnose_probe_success{target=~"odd .*"}': "0",
                  'diagnose_probe_diagnosis{diagnosis="capacity",blame="theirs"}': "1", "diagnose_exit_code": "2",
                  'diagnose_probe_retry_after_seconds': "30", "diagnose_requests": "2", "node_textfile_scrape_error": "0"}
        ports = free_ports(2)
        settings = self.folder / "prometheus.yml"
        settings.write_text("global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: textfile\n  static_configs:\n"
                            f"  - targets: ['127.0.0.1:{ports[0]}']\n")
        with Daemon([exporter, f"--web.listen-address=127.0.0.1:{ports[0]}", "--collector.disable-defaults",
                     "--collector.textfile", f"--collector.textfile.directory={textfiles}"]), \
             Daemon([server, f"--config.file={settings}", f"--storage.tsdb.path={self.folder}/tsdb",
                     f"--web.listen-address=127.0.0.1:{ports[1]}"]):
            ask(ports[1], "diagnose_exit_code")  # until there was a scrape
            for query, value in wanted.items():
                have = ask(ports[1], query, 0)
                self.check(f"Prometheus answers {value} to {query}", have == [value], have)
            stamps = ask(ports[1], "time() - diagnose_last_run_timestamp_seconds")
            self.check("the run was a moment ago", len(stamps) == 1 and -5 < float(stamps[0]) < 120, stamps)

    # ---- man/examples ----

    def alerts(self):
        if promtool := self.program("promtool"):
            rules = EXAMPLES / "prometheus-alerts.yml"
            run = call([promtool, "check", "rules", str(rules)])
            self.check("promtool check rules", run.returncode == 0, run.stdout + run.stderr)
            shutil.copy(rules, self.folder)
            shutil.copy(ROOT / "tests" / "alerts.test.yml", self.folder)
            run = call([promtool, "test", "rules", "alerts.test.yml"], cwd=self.folder)
            self.check("each alert fires when it should", run.returncode == 0, run.stdout + run.stderr)
            names = set(re.findall(r"alert: (\w+)", rules.read_text(encoding="utf-8")))
            tested = set(re.findall(r"alertname: (\w+)", (ROOT / "tests" / "alerts.test.yml").read_text(encoding="utf-8")))
            self.check("every alert is tested", names and names == tested, names ^ tested)

    def units(self):
        if analyze := self.program("systemd-analyze"):
            for name in ("diagnose.service", "diagnose.timer"):
                text = (EXAMPLES / name).read_text(encoding="utf-8")
                (self.folder / name).write_text(text.replace("/usr/local/bin/diagnose", str(self.diagnose)))
            service = str(self.folder / "diagnose.service")
            run = call([analyze, "verify", "--man=no", service, str(self.folder / "diagnose.timer")])
            self.check("systemd-analyze verify", run.returncode == 0 and not run.stdout + run.stderr, run.stdout + run.stderr)
            run = call([analyze, "security", "--offline=true", "--threshold=25", "--no-pager", service])
            self.check("systemd-analyze security", run.returncode == 0, run.stdout[-600:] + run.stderr)

    def scripts(self):
        if shellcheck := self.program("shellcheck"):
            run = call([shellcheck, str(EXAMPLES / "pre-commit")])
            self.check("shellcheck pre-commit", run.returncode == 0, run.stdout)

    def documents(self):
        """YAML that parses; blocks of Nagios; a line of cron with seven fields."""
        for file in sorted(EXAMPLES.glob("*.yml")) + sorted(EXAMPLES.glob("*.yaml")):
            code = "import sys, yaml; sys.exit(not isinstance(yaml.safe_load(open(sys.argv[1])), dict))"
            runs = [call([python, "-c", code, str(file)]) for python in (sys.executable, "/usr/bin/python3")]
            self.check(f"{file.name} is YAML", any(run.returncode == 0 for run in runs), runs[-1].stderr)
        text = re.sub(r"^#.*\n", "", (EXAMPLES / "nagios.cfg").read_text(encoding="utf-8"), flags=re.M)
        rest = re.sub(r"define (command|service) \{\n(    [a-z_]+ +\S.*\n)+\}\n", "", text)
        self.check("nagios.cfg holds blocks and nothing else", not rest.strip(), rest)
        lines = [line for line in (EXAMPLES / "diagnose.cron").read_text(encoding="utf-8").splitlines()
                 if not re.match(r"#|[A-Z]+=", line)]
        self.check("diagnose.cron is a line of cron",
                   len(lines) == 1 and re.fullmatch(r"([\d*/,-]+ ){5} nobody  /usr/local/bin/diagnose .*", lines[0]), lines)

    def commands(self):
        """Every option that an example gives to diagnose is one of that command's."""
        for file in sorted(EXAMPLES.iterdir()):
            text = re.sub(r"#.*|\\\n|(?<=ours)\n", "", file.read_text(encoding="utf-8"))
            for line in re.findall(r"(?:\s|/|=)diagnose +((?:[a-z-]+ |\$ARG1\$ )?-.*|[a-z]+(?: -.*)?)$", text, re.M):
                command = line.split()[0]
                known = call([str(self.diagnose), *(["probe"] if command in ("$ARG1$",) else [command]), "--help"]).stdout
                for option in re.findall(r"(?<=\s)--?[a-z][a-z-]*", line):
                    self.check(f"{file.name}: diagnose {command} takes {option}",
                               re.search(rf"^ +(-\w, +)?{option}\b|^ +{option},", known, re.M), line)

    def hook(self):
        """A real commit goes through with good settings and is refused with a key that no version reads."""
        git = self.program("git")
        if not git:
            return
        tree, programs, home = (self.folder / name for name in ("tree", "bin", "nobody"))
        temporary = self.folder / "temporary"
        for folder in (programs, temporary, home / ".codex"):
            folder.mkdir(parents=True)
        (programs / "diagnose").symlink_to(self.diagnose)
        (home / ".codex" / "config.toml").write_text("modle = 1\n")  # of the one who commits, and none of the hook's
        env = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(home), "LC_ALL": "C.UTF-8",
               "TMPDIR": str(temporary), "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        for who in ("AUTHOR", "COMMITTER"):
            env |= {f"GIT_{who}_NAME": "t", f"GIT_{who}_EMAIL": "t@example.org"}
        call([git, "init", "-q", str(tree)], env=env)
        shutil.copy(EXAMPLES / "pre-commit", tree / ".git" / "hooks")
        (tree / ".codex").mkdir()
        entry = re.search(r"entry: (.*)", (EXAMPLES / "pre-commit-config.yaml").read_text(encoding="utf-8")).group(1)
        good, misspelt, settings = 'model = "gpt-5.4"\n', 'modle = "gpt-5.4"\n', ".codex/config.toml"
        for about, name, staged, edited, is_let in (
                ("a file that is none of ours", "a.txt", "x", "x", True),
                ("good settings", settings, good, good, True),
                ("a misspelt key", settings, misspelt, misspelt, False),
                ("a syntax error", settings, "model = \n", "model = \n", False),
                ("a misspelt key that is mended outside the commit only", settings, misspelt, good, False),
                ("good settings beside a misspelt key outside the commit", settings, good + "\n", misspelt, True)):
            (tree / name).write_text(staged)
            call([git, "add", "-A"], env=env, cwd=tree)
            (tree / name).write_text(edited)
            run = call([git, "commit", "-qm", about], env=env, cwd=tree)
            self.check(f"the hook {'lets' if is_let else 'stops'} {about}", (run.returncode == 0) == is_let,
                       run.stdout + run.stderr)
            if name == settings and staged == edited:
                run = call(shlex.split(entry), env=env, cwd=tree)
                self.check(f"the hook of pre-commit does the same with {about}", (run.returncode == 0) == is_let,
                           run.stdout + run.stderr)
        self.check("the hook leaves nothing behind", not list(temporary.iterdir()), list(temporary.iterdir()))

    def install(self):
        """make install puts the examples where packages look for them, with the path of this installation."""
        run = call(["make", "-s", "-C", str(ROOT), "install", f"DESTDIR={self.folder}/root", "PREFIX=/opt/d",
                    f"BUILD={self.diagnose.parent}"])
        installed = self.folder / "root" / "opt" / "d" / "share" / "doc" / "diagnose" / "examples"
        self.check("make install", run.returncode == 0, run.stderr)
        have = {file.name for file in installed.glob("*")}
        self.check("every example is installed", have == {file.name for file in EXAMPLES.iterdir()}, have)
        scripts = {file.name for file in EXAMPLES.iterdir() if os.access(file, os.X_OK)}
        self.check("scripts can be run", scripts == {file.name for file in installed.iterdir() if os.access(file, os.X_OK)},
                   scripts)
        self.check("with the path of this installation", "ExecStart=/opt/d/bin/diagnose probe" in
                   (installed / "diagnose.service").read_text(encoding="utf-8"))


class Daemon:
    """A program that is ended by its own pid when the block is left; what it said is shown when it ended before."""

    def __init__(self, command):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is not None:
            self.log.seek(0)
            print(f"{self.process.args[0]} ended by itself: {self.log.read().decode('utf-8', 'replace')[-2000:]}")
        self.process.terminate()
        self.process.wait(START_SECONDS_MAX)
        self.log.close()


class demo_server:
    """The scripted provider on a port of its own: (port, environment)."""

    def __init__(self, diagnose):
        self.env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen([str(diagnose), "demo", "--serve"], env=self.env, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return int(re.search(r":(\d+)", self.process.stdout.readline()).group(1)), dict(self.env)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()


def call(command, **more):
    return subprocess.run(command, text=True, errors="replace", capture_output=True, timeout=120,
                          **({"stdin": subprocess.DEVNULL} if "input" not in more else {}), **more)


def ask(port, query, seconds=START_SECONDS_MAX):
    """Values of an instant query; asked again for so long while there are none."""
    url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
    end = time.monotonic() + seconds
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        values = []
        try:
            with opener.open(url, timeout=5) as answer:
                values = [item["value"][1] for item in json.load(answer)["data"]["result"]]
        except OSError:
            pass
        if values or time.monotonic() >= end:
            return values
        time.sleep(0.1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--forms", type=pathlib.Path)
    args = parser.parse_args()
    build = args.build.resolve()
    with tempfile.TemporaryDirectory(prefix="diagnose-formats-") as folder:
        formats = Formats(build, args.forms or build / "forms", pathlib.Path(folder))
        formats.check("the cases left files in every form", all(map(formats.kept, ("xml", "tap", "prom"))), formats.forms)
        for test in (formats.junit, formats.tap, formats.prometheus, formats.scrape, formats.alerts, formats.units,
                     formats.scripts, formats.documents, formats.commands, formats.hook, formats.install):
            test()
    line = f"{formats.passed} passed, {formats.failed} failed"
    print(line + (f", {formats.skipped} skipped" if formats.skipped else ""))
    return 1 if formats.failed else 0


if __name__ == "__main__":
    sys.exit(main())
