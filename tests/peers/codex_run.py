"""One run of a real Codex against the recorder: lays out a home, runs `codex exec`, tells what it sent or refused.

A case is {name, about, files {path: text}, variables, argv, command, cwd}; paths start with home/ or project/. In all its texts
{url} is the recorder, {home}, {project} and {etc} are folders, and {chatgpt}, {chatgpt_expired} tokens.
"""
import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile

import codex_recorder

RUN_SECONDS_MAX = 45
PROGRAMS = ["vendor/x86_64-unknown-linux-musl/bin/codex", "vendor/x86_64-unknown-linux-musl/codex/codex",
            "bin/codex-x86_64-unknown-linux-musl"]
CLAIMS = {"email": "user@example.test", "https://api.openai.com/auth": {
    "chatgpt_plan_type": "plus", "chatgpt_account_id": "acct-test", "chatgpt_user_id": "user-test"}}
TOKENS = {"{chatgpt}": codex_recorder.token({**CLAIMS, "exp": 4102444800}),
          "{chatgpt_expired}": codex_recorder.token({**CLAIMS, "exp": 1700000000})}
POSITION = re.compile(r"(\{\w+\}[^\s:]*\.toml):(?: TOML parse error at line )?(\d+)(?::|, column )(\d+)")
KEY = re.compile(r"sk-test-[\w-]+")
REFUSAL_LINES_MAX = 6
LINE_MAX = 300
STAMP = re.compile(r"^(\d{4}-\d\d-\d\dT\S+Z +|\[\d{4}-\d\d-\d\dT[\d:]+\] )")
NOISE = re.compile(r"""^(OpenAI\ Codex\ v | -{8}$ | user$ | say\ pong$ | mcp\ startup: | Reading\ additional\ input
    | (workdir|model|provider|approval|sandbox|session\ id|reasoning\ effort|reasoning\ summaries):\s
    | warning:\ (Model\ metadata\ for | Codex\ could\ not\ find\ bubblewrap) | WARNING:\ proceeding,\ even\ though
    | ERROR\ (codex_models_manager | codex_core::models_manager | rmcp) | (ERROR:\ )?Reconnecting
    | User\ instructions:$ | stream\ error:\ .*;\ retrying
    | \ *\d*\ \|)""", re.X)


@functools.cache
def can_mount():
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0


def can_play(case):
    """Whether this machine can put the files of the case where they belong."""
    return can_mount() or not any(path.startswith("etc/") for path in case["files"])


class Home:
    """The folders of one case, gone with the `with` block."""

    def __init__(self, case, url):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="diagnose-codex-"))
        self.words = {"{home}": self.root + "/home", "{project}": self.root + "/project", "{etc}": "/etc", "{url}": url,
                      **TOKENS}
        for folder in ["home/.codex", "project"]:
            os.makedirs(os.path.join(self.root, folder))
        for path, text in case["files"].items():
            path = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as out:
                out.write(self.fill(text))
        self.cwd = os.path.join(self.root, case.get("cwd", "project"))
        self.variables = {"PATH": "/usr/bin:/bin", "HOME": self.words["{home}"], "LC_ALL": "C.UTF-8",
                          **{name: self.fill(text) for name, text in case.get("variables", {}).items()}}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def fill(self, text):
        for word, value in self.words.items():
            text = text.replace(word, value)
        return text

    def blank(self, text):
        """The reverse: no path of this machine is left."""
        for word in ["{home}", "{project}", "{url}"]:
            text = text.replace(self.words[word], word)
        return text

    def command(self, words):
        """The command; where the case has files in etc/, in a mount namespace whose /etc holds those as well."""
        etc = os.path.join(self.root, "etc")
        if not os.path.isdir(etc):
            return words
        # The links are made in memory: a disk's file system would take most of a run's time for them.
        script = ('mkdir -p "$1.old" "$1.all" && mount --bind /etc "$1.old" && mount -t tmpfs none "$1.all" && ln -s "$1".old/* "$1"/* "$1.all" && '
                  'mount --bind "$1.all" /etc && shift && exec "$@"')
        return ["unshare", "--mount", "sh", "-c", script, "sh", etc, *words]


def program(modules, version):
    """The executable of that version among the installed packages."""
    folder = os.path.join(modules, "codex-" + version.replace(".", "-"))
    return next(path for path in (os.path.join(folder, name) for name in PROGRAMS) if os.path.exists(path))


def network(recorder):
    """Variables that lead every https host to the recorder."""
    return {"HTTPS_PROXY": recorder.url, "NO_PROXY": "127.0.0.1,localhost", "CODEX_CA_CERTIFICATE": recorder.ca,
            "SSL_CERT_FILE": recorder.ca}


def run_codex(command, home, recorder, seconds=RUN_SECONDS_MAX):
    """(exit status or None when it had to be ended, all that it printed)."""
    env = {**home.variables, **network(recorder)}
    process = subprocess.Popen(home.command(command), cwd=home.cwd, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        text, _ = process.communicate(timeout=seconds)
        return process.returncode, text.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
        return None, text.decode("utf-8", "replace")


def clean(line):
    """One line without the time, keys, and what is too long."""
    return KEY.sub(lambda key: f"[key {codex_recorder.fingerprint(key[0])}]", STAMP.sub("", line.rstrip()))[:LINE_MAX]


def said(home, text):
    """(lines worth keeping, each once; ignored settings that they name)."""
    lines = [clean(line) for line in home.blank(text).splitlines()]
    lines = list(dict.fromkeys(line for line in lines if line and not NOISE.match(line)))
    return lines, sorted(set(re.findall(r"^  \S.*: `(.+)` is ignored\.$", "\n".join(lines), re.M)))


def observe(case, version, modules, recorder):
    """What that Codex makes of the case: {exit, request} or {exit, refusal, position}, with the warnings it printed."""
    with Home(case, recorder.url) as home:
        recorder.take()
        usual = ["exec", "--skip-git-repo-check", *case.get("argv", []), "say pong"]
        words = [program(modules, version), *map(home.fill, case.get("command", usual))]
        status, text = run_codex(words, home, recorder)
        requests = [request for request in recorder.take() if request["method"] == "POST"
                    and request["model"] is not None]
        lines, ignored = said(home, text)
        seen = {"exit": status}
        if requests:
            seen["request"] = {**requests[0], "url": home.blank(requests[0]["url"])}
            del seen["request"]["method"]
            if not requests[0]["headers"]:
                del seen["request"]["headers"]
            warnings = [line for line in lines if line.lower().startswith("warning: ")]
            if warnings:
                seen["warnings"] = warnings
        else:
            seen["refusal"] = lines[:REFUSAL_LINES_MAX]
            position = POSITION.search("\n".join(lines))
            if position:
                seen["position"] = {"file": position[1], "line": int(position[2]), "column": int(position[3])}
        if ignored:
            seen["ignored"] = ignored
        return seen
