"""What every run of a case leaves besides its own result: a file in each form that machines read. Adds the options for
that, and checks each file by the grammar of its readers. The programs that really read them are in tests/formats.py."""
import json
import re
import xml.etree.ElementTree

ENDINGS = {"junit": "xml", "tap": "tap", "sarif": "sarif", "github": "github", "nagios": "nagios",
           "prometheus": "prom", "markdown": "md"}
COMMANDS = {"probe", "demo", "check", "verify", "config", "classify", "-"}
# With these there is no report, or the run does not end by itself.
WITHOUT_REPORT = {"--help", "-h", "--version", "-V", "--dry-run", "--ndjson", "--serve"}


def command_of(args):
    """The command word, as far as it can be told from the words alone; "probe" when there is none."""
    for at, word in enumerate(args):
        is_argument = at > 0 and args[at - 1].startswith("--") and "=" not in args[at - 1]
        if word == "-" or (not word.startswith("-") and not is_argument):
            return word
        if word in COMMANDS:
            return word
    return "probe"


def options(args, folder):
    """Options for one file in each form, to stand before args; none where the command prints no report."""
    is_stream = "--input ndjson" in " ".join(args)
    if command_of(args) not in COMMANDS or WITHOUT_REPORT & set(args) or is_stream:
        return []
    return [word for form, ending in ENDINGS.items() for word in ("--format", f"{form}:{folder}/report.{ending}")]


def check(texts, is_due):
    """What is wrong with the files, by form; None stands for one that is not there."""
    for form, text in texts.items():
        if text is None:
            if is_due:
                yield f"{form}: was not written"
            continue
        try:
            for what in CHECKS[form](text):
                yield f"{form}: {what}"
        except (ValueError, KeyError, xml.etree.ElementTree.ParseError) as error:
            yield f"{form}: {error!r}"


def junit(text):
    root = xml.etree.ElementTree.fromstring(text)
    if root.tag != "testsuites":
        yield f"begins with {root.tag}"
    for group in [root] + list(root):
        cases = group.findall(".//testcase")
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            have = sum(case.find(tag) is not None for case in cases)
            if int(group.get(name)) != have:
                yield f"{name} is {group.get(name)}, and there are {have}"
        if int(group.get("tests")) != len(cases):
            yield f"tests is {group.get('tests')}, and there are {len(cases)}"
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    if len(set(names)) != len(names):
        yield "two cases have one name"


def tap(text):
    lines = text.splitlines()
    plan = re.fullmatch(r"1\.\.(\d+)( # SKIP .*)?", lines[1])
    if lines[0] != "TAP version 13" or not plan:
        yield f"begins with {lines[:2]}"
        return
    number, is_inside = 0, False
    for line in lines[2:]:
        if is_inside:
            is_inside = line != "  ..."
            if not re.match(r"  ", line):
                yield f"in a block: {line}"
        elif line == "  ---":
            is_inside = True
        else:
            number += 1
            if not re.fullmatch(rf"(not )?ok {number} - ([^#\\]|\\[#\\])*( # SKIP ([^#\\]|\\[#\\])*)?", line):
                yield f"test {number}: {line}"
    if is_inside or number != int(plan.group(1)):
        yield f"{number} tests of {plan.group(1)}"


def sarif(text):
    document = json.loads(text)
    run, = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    if document["version"] != "2.1.0" or len(set(rules)) != len(rules):
        yield f"version {document['version']}, rules {rules}"
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"] or not result["message"]["text"]:
            yield f"result {result}"
        for location in result["locations"]:
            place = location.get("physicalLocation")
            if place and (re.search(r"[^A-Za-z0-9\-._~/%:]", place["artifactLocation"]["uri"]) or
                          min(place.get("region", {"startLine": 1}).values()) < 1):
                yield f"place {place}"


def github(text):
    for line in text.splitlines():
        found = re.fullmatch(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^,:]*,?)+)::(.*)", line)
        if not found or set(re.findall(r"([a-zA-Z]+)=", found.group(2))) - {"file", "line", "col", "title"}:
            yield f"no annotation: {line}"
    for kind in ("error", "warning", "notice"):
        if len(re.findall(rf"^::{kind} ", text, re.M)) > 10:
            yield f"more than ten of {kind}"


VALUE = r"-?\d+(?:\.\d+)?"
PERFORMANCE = rf"'[^'=|]+'={VALUE}(?:s|us|ms|%|B|KB|MB|TB|c)?(?:;(?:{VALUE})?){{0,4}}"


def nagios(text):
    first, *rest = text.splitlines()
    if not re.fullmatch(rf"DIAGNOSE (OK|WARNING|CRITICAL|UNKNOWN) - [^|]*( \| {PERFORMANCE}( {PERFORMANCE})*)?", first):
        yield f"no status: {first}"
    if any("|" in line for line in rest):
        yield "a bar in the lines below"


def prometheus(text):
    if not text.endswith("\n"):
        yield "does not end with a line"
    family, seen, done = None, set(), set()
    label = r'[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"'
    for line in text.splitlines():
        begins = re.fullmatch(r"# (HELP|TYPE) (diagnose_[a-z_]+) .+", line)
        sample = re.fullmatch(rf"(diagnose_[a-z_]+)(\{{{label}(?:,{label})*\}}) ({VALUE})", line)
        if begins:
            done |= {family} if family != begins.group(2) else set()
            family = begins.group(2)
            if family in done:
                yield f"{family} comes twice"
        elif not sample or sample.group(1) != family:
            yield f"no sample of {family}: {line}"
        elif sample.group(1, 2) in seen:
            yield f"a series comes twice: {line}"
        else:
            seen.add(sample.group(1, 2))
    if "diagnose_last_run_timestamp_seconds" not in {name for name, _ in seen}:
        yield "does not tell when the run was"


def markdown(text):
    for line in text.splitlines():
        outside = re.sub(r"(`+)( ?).*?\2\1", "", re.sub(r"\\[|]", "", line))
        if line.startswith("|") and outside.count("|") != 7:
            yield f"a row of {outside.count('|') - 1} cells: {line}"
        if re.search(r"<(?!!-- -->)|(?<!\\)\]\(", outside):
            yield f"markup: {line}"


CHECKS = {"junit": junit, "tap": tap, "sarif": sarif, "github": github, "nagios": nagios, "prometheus": prometheus,
          "markdown": markdown}
