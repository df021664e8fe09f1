#!/usr/bin/env python3
"""Do the documents say what the program does?

usage: docs.py [--build DIR] [--write]

Compares --help, the manual pages, the completions and the README with one another, reads the pages with mandoc, and
loads the examples. Prints `N passed, N failed`; what cannot be checked here is a named skip. With --write the generated
parts of man/diagnose.1 are brought up to date, and nothing is checked.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GENERATED = re.compile(r'^\.\\" generated: .*?^\.\\" end of generated\n', re.S | re.M)
OPTION = re.compile(r"^ +(?:-(\w), |    )--([a-z][a-z-]*)", re.M)
COMMAND = re.compile(r"^  ([a-z]+) +\S", re.M)
KEYS = {"OPENAI_API_KEY": "sk-proj-" + "a1B2" * 12, "ANTHROPIC_API_KEY": "sk-ant-api03-" + "c3D4" * 12}


class Results:
    def __init__(self):
        self.passed, self.failed, self.skipped = 0, 0, 0

    def check(self, is_true, what):
        if is_true:
            self.passed += 1
        else:
            self.failed += 1
            print("not ok -", what)

    def skip(self, why):
        self.skipped += 1
        print("skipped:", why)


class Program:
    def __init__(self, path, home):
        self.path = path
        self.env = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8"}

    def run(self, *words, env=None, status=0):
        run = subprocess.run([self.path, *words], env=dict(self.env, **(env or {})), stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=60)
        if status is not None and run.returncode != status:
            raise AssertionError(f"{' '.join(words)}: exit {run.returncode}, expected {status}\n{run.stdout}{run.stderr}")
        return run.stdout


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def section(text, title):
    """The rows below a title of --help, up to the next empty line."""
    found = re.search(rf"^{re.escape(title)}:\n(.*?)(?:\n\n|\Z)", text, re.S | re.M)
    return found.group(1) + "\n" if found else ""


def options(text, title):
    return {name: letter for letter, name in OPTION.findall(section(text, title))}


def learn(program):
    """(commands, common options, {command: its own options}) as --help tells them."""
    overview = program.run("--help")
    commands = COMMAND.findall(section(overview, "Commands"))
    common = options(overview, "Options of every command")
    own = {command: options(program.run(command, "--help"), "Options") for command in commands}
    return commands, common, own


def check_help(results, program, commands, common, own):
    overview = program.run("--help")
    results.check(len(commands) >= 9 and "probe" in commands, f"--help lists the commands, got {commands}")
    results.check(options(overview, "Options") == own["probe"], "the overview has the options of the default command")
    for command in commands:
        text = program.run(command, "--help")
        results.check(text.startswith(f"Usage: diagnose {command}"), f"{command} --help begins with its usage")
        results.check(options(text, "Options of every command") == common, f"{command} --help has the common options")
        results.check(text == program.run("help", command), f"help {command} is {command} --help")
        results.check(all(len(line) <= 80 for line in text.splitlines()), f"{command} --help fits 80 columns")
    codes = re.findall(r"^  (\d)  ", section(overview, "Exit codes"), re.M)
    results.check(codes == list("012345"), f"the exit codes are in --help, got {codes}")


def check_page(results, program, commands, common, own):
    page = read("man/diagnose.1")
    printed = program.run("help", "--mdoc")
    results.check("".join(GENERATED.findall(page)) == printed,
                  "man/diagnose.1 is up to date (its generated parts are what diagnose help --mdoc prints)")
    for command in commands:
        results.check(re.search(rf"^\.It Cm {command}\b", page, re.M), f"the page describes {command}")
        for name in own[command]:
            part = re.search(rf"^\.Ss Options of diagnose {command}\n(.*?)(?=^\.S[sh])", page, re.S | re.M)
            results.check(part and re.search(rf"Fl Fl {name}\b", part.group(1)), f"the page has --{name} of {command}")
    for name in common:
        results.check(re.search(rf"^\.It .*Fl Fl {name}\b", page, re.M), f"the page has --{name}")


def check_rules_page(results):
    """diagnose-rules.5 names every field, outcome, and key of rules and examples."""
    page = read("man/diagnose-rules.5")
    names = re.findall(r'^FIELD\(\w+, "([^"]+)"', read("src/core/field.def"), re.M)
    names += re.findall(r'^OUTCOME\(\w+, "([^"]+)"', read("src/core/observation.def"), re.M)
    for source in ("src/rules/load_rule.c", "src/rules/load_example.c"):
        names += re.findall(r'"(\w+)"', re.search(r"names\[\] = \{(.*?)NULL", read(source), re.S).group(1))
    results.check(len(names) > 40, f"fields, outcomes and keys were found, got {names}")
    for name in names:
        results.check(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", page), f"diagnose-rules.5 names {name}")


def check_lint(results, home):
    if not shutil.which("mandoc"):
        results.skip("mandoc is not installed: the pages were not read by it")
        return
    pages = os.path.join(home, "pages")
    for number, name in (("1", "diagnose.1"), ("5", "diagnose-rules.5")):
        os.makedirs(os.path.join(pages, "man" + number))
        shutil.copy(os.path.join(ROOT, "man", name), os.path.join(pages, "man" + number))
    if shutil.which("makewhatis"):
        subprocess.run(["makewhatis", pages], check=True, capture_output=True)
    for name in ("man1/diagnose.1", "man5/diagnose-rules.5"):
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "style", name], cwd=pages, capture_output=True, text=True,
                              env=dict(os.environ, MANPATH=pages))
        text = "\n".join(line for line in (lint.stdout + lint.stderr).splitlines()
                         if "referenced manual not found" not in line and "outdated mandoc.db" not in line)
        results.check(text == "", f"mandoc finds nothing in {name}:\n{text}")


def complete_bash(script, words):
    """What bash offers for the last of words."""
    line = f"""source {script}
COMP_WORDS=({' '.join(repr(w) for w in words)}); COMP_CWORD={len(words) - 1}; _diagnose; printf '%s\\n' "${{COMPREPLY[@]}}" """
    return subprocess.run(["bash", "--norc", "-c", line], capture_output=True, text=True, check=True).stdout.split()


def check_completions(results, program, home, commands, common, own):
    for shell in ("bash", "zsh", "fish"):
        path = os.path.join(home, "completion." + shell)
        text = program.run("completion", shell)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        mark = "-l " if shell == "fish" else "--"
        for name in sorted(set(common).union(*own.values())):
            results.check(re.search(rf"{mark}{name}\b", text), f"the completion of {shell} has --{name}")
        for command in commands:
            results.check(re.search(rf"\b{command}\b", text), f"the completion of {shell} has {command}")
        if not shutil.which(shell):
            results.skip(f"{shell} is not installed: its completion was not read by it")
            continue
        syntax = subprocess.run([shell, "-n", path], capture_output=True, text=True)
        results.check(syntax.returncode == 0, f"{shell} reads its completion: {syntax.stderr}")
    if shutil.which("bash"):
        script = os.path.join(home, "completion.bash")
        offers = [(["diagnose", ""], set(commands)),
                  (["diagnose", "exp"], {"explain"}),
                  (["diagnose", "demo", "--"], {"--" + name for name in {**common, **own["demo"]}}),
                  (["diagnose", "probe", "--dry"], {"--dry-run"}),
                  (["diagnose", "config", "--dry"], set()),
                  (["diagnose", "--lang", ""], {"en", "zh"}),
                  (["diagnose", "--lang", "=", "z"], {"zh"}),
                  (["diagnose", "rules", "t"], {"test"}),
                  (["diagnose", "help", "hist"], {"history"}),
                  (["diagnose", "explain", "quota_e"], {"quota_exhausted"}),
                  (["diagnose", "explain", "capacity-f"], {"capacity-frequent"}),
                  (["diagnose", "history", "import", "co"], {"codex"}),
                  (["diagnose", "observe", "c"], {"codex", "claude"}),
                  (["diagnose", "classify", "--client", "c"], {"codex", "claude-code"}),
                  (["diagnose", "explain", "--client", "=", "lite"], {"litellm"})]
        for words, wanted in offers:
            got = set(complete_bash(script, words))
            fits = wanted <= got if words[-1] == "" and len(words) == 2 else wanted == got
            results.check(fits, f"bash completes {words} to {sorted(wanted)}, got {sorted(got)}")


def check_readme(results, commands, common, own):
    if not os.path.exists(os.path.join(ROOT, "README.md")):
        results.skip("there is no README.md")
        return
    text = re.sub(r"<!-- screen: .*?<!-- /screen -->", "", read("README.md"), flags=re.S)
    known = set(common).union(*own.values())
    code = "\n".join(re.findall(r"`[^`\n]+`", text) + re.findall(r"^    .*$", text, re.M))
    for line in code.splitlines():
        if "diagnose" not in line and not line.startswith("`--"):
            continue
        line = line[max(line.find("diagnose"), 0):]  # options before it are another program's
        for name in re.findall(r"(?<![\w-])--([a-z][a-z-]+)", line):
            results.check(name in known, f"README names --{name}, which exists")
    for name in re.findall(r"\bdiagnose ([a-z]+)\b", code):
        results.check(name in commands, f"README names diagnose {name}, which exists")


def check_advice(results, commands):
    """Commands in what the reports say to do."""
    for name in ["diagnoses.toml"] + ["clients/" + file for file in sorted(os.listdir(os.path.join(ROOT, "rules/clients")))]:
        for command in re.findall(r"[:：;；(（] ?diagnose ([a-z]+)", read("rules/" + name)):
            results.check(command in commands, f"rules/{name} names diagnose {command}, which exists")


def check_examples(results, program, home):
    """The files of man/examples load without a remark, and the example of diagnose-rules.5 is one of them."""
    folder = os.path.join(home, ".config", "diagnose")
    os.makedirs(os.path.join(folder, "rules.d"))
    shutil.copy(os.path.join(ROOT, "man/examples/config.toml"), folder)
    shutil.copy(os.path.join(ROOT, "man/examples/rules.toml"), os.path.join(folder, "rules.d"))
    with open(os.path.join(folder, "gateway.key"), "w", encoding="utf-8") as file:
        file.write("0123456789abcdef0123456789abcdef\n")
    os.chmod(os.path.join(folder, "gateway.key"), 0o600)
    with open(os.path.join(folder, "corp.pem"), "w", encoding="utf-8") as file:
        file.write("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n")
    config = json.loads(program.run("config", "--json", env=KEYS, status=None))
    results.check(config["problems"] == [] and config["exit_code"] == 0,
                  f"man/examples/config.toml has no problem: {config['problems']}")
    plan = json.loads(program.run("--dry-run", "--json", env=KEYS))["plan"]
    models = [request["model"] for request in plan["requests"]]
    results.check(models == ["gpt-5.4", "gpt-5.4-nano", "claude-haiku-4-5", "house-model"],
                  f"man/examples/config.toml plans its models in order, got {models}")
    tested = json.loads(program.run("rules", "test", "--json", status=None))
    results.check(tested["problems"] == [], f"man/examples/rules.toml passes rules test: {tested['problems']}")
    rules = json.loads(program.run("rules", "list", "--json"))["rules"]
    own = [rule["id"] for rule in rules if "rules.d" in (rule["origin"] or "")]
    results.check(own == [rule["id"] for rule in rules[:2]] and len(own) == 2, f"own rules come first, got {own}")
    page = re.search(r"^\.Bd -literal\n(.*?)^\.Ed", read("man/diagnose-rules.5"), re.S | re.M).group(1)
    for escape, plain in ((r"\(aq", "'"), (r"\(dq", '"'), (r"\-", "-"), (r"\e", "\\")):
        page = page.replace(escape, plain)
    results.check(page.strip() in read("man/examples/rules.toml"), "the example of diagnose-rules.5 is the tested one")


def check_unread(results, program):
    """A reader that has gone ends every command as it ends other filters, unless the signal is ignored."""
    commands = ["rules list", "rules test", "rules show key-expired", "explain capacity", "help", "help --mdoc", "--help",
                "--version", "completion bash", "config", "history show", "history hours", 
                "classify", "classify --ndjson", "classify --input log --format ndjson", "probe", "check", "verify",
                "--dry-run --json", "no-such-command --json"]
    for command in commands:
        for is_ignored in (False, True):
            reader, writer = os.pipe()
            os.close(reader)
            run = subprocess.run([program.path, *command.split()], env=program.env, stdout=writer, stderr=subprocess.PIPE,
                                 input='{"body":"429 Too Many Requests"}\n', text=True, restore_signals=not is_ignored)
            os.close(writer)
            told = run.stderr.count("cannot write to standard output: Broken pipe")
            wanted = (4, 1) if is_ignored else (-signal.SIGPIPE, 0)
            results.check((run.returncode, told) == wanted,
                          f"{command} without a reader ends with {wanted}, got {run.returncode} {run.stderr}")


def check_promises(results, program):
    """What the page says of the process as a whole."""
    env = program.env
    with open("/dev/full", "wb") as full:
        run = subprocess.run([program.path, "explain", "capacity"], env=env, stdout=full, stderr=subprocess.PIPE, text=True)
    results.check(run.returncode == 4 and "cannot write to standard output" in run.stderr,
                  f"a full disk is exit 4 with a complaint, got {run.returncode} {run.stderr}")
    check_unread(results, program)
    with subprocess.Popen([program.path, "classify", "--ndjson"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as run:
        for number in range(3):
            run.stdin.write(json.dumps({"id": number, "body": "all is well"}) + "\n")
            run.stdin.flush()
            results.check(json.loads(run.stdout.readline())["id"] == number, "a line is answered before the next is sent")
        run.stdin.close()
        results.check(run.wait(timeout=20) == 0, "the stream ends with 0")
    for shield, wanted in (([], 130), (["sh", "-c", "trap '' INT; exec \"$@\"", "sh"], -signal.SIGTERM)):
        with subprocess.Popen([*shield, program.path, "demo", "--serve"], env=env, stdout=subprocess.PIPE, text=True) as run:
            results.check(run.stdout.readline().startswith("listening on http://127.0.0.1:"), "demo --serve says where")
            run.send_signal(signal.SIGINT)
            if shield:
                run.terminate()
            try:
                run.wait(timeout=20)
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()
            results.check(run.returncode == wanted,
                          f"Ctrl-C ends with 130, and does nothing where it is ignored: {run.returncode}")


def write_page(program):
    parts = GENERATED.findall(program.run("help", "--mdoc"))
    page = GENERATED.sub(lambda _: parts.pop(0), read("man/diagnose.1"))
    with open(os.path.join(ROOT, "man/diagnose.1"), "w", encoding="utf-8") as file:
        file.write(page)


def main():
    # Started in the background, SIGINT comes ignored, and programs would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    results = Results()
    with tempfile.TemporaryDirectory() as home:
        program = Program(os.path.abspath(os.path.join(args.build, "diagnose")), home)
        if args.write:
            write_page(program)
            return
        told = learn(program)
        check_help(results, program, *told)
        check_page(results, program, *told)
        check_rules_page(results)
        check_lint(results, home)
        check_completions(results, program, home, *told)
        check_readme(results, *told)
        check_advice(results, told[0])
        check_promises(results, program)
        check_examples(results, program, home)
    tail = f", {results.skipped} skipped" if results.skipped else ""
    print(f"{results.passed} passed, {results.failed} failed{tail}")
    sys.exit(1 if results.failed else 0)


if __name__ == "__main__":
    main()
