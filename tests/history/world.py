"""What tests of the history share: a home for runs of diagnose, and counting of what passed."""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import traceback


class World:
    """An empty home, gone with the `with` block."""

    def __init__(self, diagnose):
        self.diagnose = diagnose
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="diagnose-history-"))
        self.codex = self.home / ".codex"
        self.servers = []
        self.store = self.home / "state" / "diagnose" / "history.db"
        self.env = {"HOME": str(self.home), "XDG_STATE_HOME": str(self.home / "state"),
                    "PATH": os.environ["PATH"], "TMPDIR": str(self.home), "LC_ALL": "C.UTF-8", "TZ": "UTC"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.terminate()
            server.communicate()
        shutil.rmtree(self.home, ignore_errors=True)

    def run(self, *args, exit_code=0, timeout=60, **more):
        """stdout of a run, which must end with exit_code (None = any)."""
        result = subprocess.run([self.diagnose, *args], env={**self.env, **more.pop("env", {})}, cwd=self.home, text=True,
                                stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False, **more)
        self.stderr = result.stderr
        expect(exit_code is None or result.returncode == exit_code,
               f"{args} gave {result.returncode}: {result.stderr}{result.stdout[-400:]}")
        return result.stdout

    def serve(self, script):
        """URL of a scripted provider that ends with the home."""
        path = self.home / f"script-{len(self.servers)}.toml"
        path.write_text(script, encoding="utf-8")
        server = subprocess.Popen([self.diagnose, "demo", "--serve", "--script", path], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, env=self.env)
        self.servers.append(server)
        return next(word for word in server.stdout.readline().split() if word.startswith("http://"))

    def target(self, url, model="m", more=""):
        self.config(f'{more}[[target]]\nbase_url = "{url}/v1"\nwire = "chat"\nmodel = "{model}"\n')

    def imported(self, *names, **more):
        """(added, known) of an import."""
        result = json.loads(self.run("history", "import", *names, "--json", **more))
        return result["added"], result["known"]

    def rows(self, *args):
        return [json.loads(line) for line in self.run("history", "export", *args).splitlines()]

    def config(self, text):
        path = self.home / ".config" / "diagnose" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def cpu_seconds(run):
    """Processor time of the programs that `run` runs: what a busy machine does not change."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Wrong(Exception):
    pass


def expect(holds, about=""):
    if not holds:
        raise Wrong(about)


def same(got, wanted, about=""):
    expect(got == wanted, f"{about} wanted {wanted!r}, got {got!r}")


def run_all(tests, diagnose, chosen):
    """Runs the tests whose name holds `chosen`; (passed, failed)."""
    passed = failed = 0
    for test in tests:
        if chosen not in test.__name__:
            continue
        try:
            with World(diagnose) as world:
                test(world)
            passed += 1
        except Exception as error:  # whatever it is, the other tests go on
            failed += 1
            if isinstance(error, Wrong):
                print(f"{test.__module__}.{test.__name__}: {error}")
            else:
                print(f"{test.__module__}.{test.__name__}:\n{traceback.format_exc()}")
    return passed, failed
