"""The store under real runs: older schemas, other writers, locks, damage, full and read-only places, sudden death."""
import json
import os
import resource
import signal
import sqlite3
import subprocess
import time

from codex_home import RECORDED
from world import expect, same

HEALTHY = '[[reply]]\nhealthy = "any"\n'
SLOW = '[[reply]]\nhealthy = "any"\ndelay_ms = 60000\n'
WRITERS = 8
RUNS_EACH = 3
NOW = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400))
PATIENCE_S = 40  # several times what the store's own patience comes to, on a busy machine


def first_version(world):
    world.store.parent.mkdir(parents=True)
    store = sqlite3.connect(world.store)
    store.executescript((RECORDED / "history-1.sql").read_text(encoding="utf-8"))
    rows = store.execute("SELECT uid, at_ms, diagnosis, who FROM request ORDER BY at_ms").fetchall()
    store.close()
    return rows


def test_a_store_of_the_first_schema_is_brought_up_to_date_whole(world):
    rows = first_version(world)
    same([(row["uid"], row["diagnosis"], row.get("who")) for row in world.rows()], [(uid, diagnosis, who)
                                                                                     for uid, _, diagnosis, who in rows])
    world.target(world.serve(HEALTHY))
    world.run("verify")
    same(len(world.rows()), len(rows) + 1)
    with sqlite3.connect(world.store) as store:
        expect(store.execute("PRAGMA user_version").fetchone()[0] >= 2)
        same(store.execute("SELECT text FROM mark").fetchall(), [("12 34",)])
        same(store.execute("SELECT sum(count) FROM tally").fetchone()[0], len(rows) + 1)
        same(store.execute("SELECT sum(count) FROM week_tally").fetchone()[0], len(rows) + 1)
        columns = [row[1] for row in store.execute("PRAGMA table_info(request)")]
    expect({"place", "asked", "effective"} <= set(columns), columns)


def test_two_runs_bring_it_up_to_date_at_once(world):
    rows = first_version(world)
    runs = [subprocess.Popen([world.diagnose, "history", "export"], env=world.env, stdout=subprocess.PIPE, text=True)
            for _ in range(6)]
    for run in runs:
        said, _ = run.communicate(timeout=60)
        same((run.returncode, len(said.splitlines())), (0, len(rows)))


def test_eight_writers_lose_nothing(world):
    world.target(world.serve(HEALTHY))
    command = f'for n in {" ".join(map(str, range(RUNS_EACH)))}; do "{world.diagnose}" probe || exit 1; done'
    writers = [subprocess.Popen(["sh", "-c", command], env=world.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True) for _ in range(WRITERS)]
    for writer in writers:
        _, said = writer.communicate(timeout=120)
        same(writer.returncode, 0, said)
        expect("without history" not in said, said)
    rows = world.rows()
    same(len(rows), WRITERS * RUNS_EACH)
    same(len({row["uid"] for row in rows}), len(rows))


def test_a_run_that_is_killed_leaves_a_readable_store(world):
    world.target(world.serve(HEALTHY))
    world.run("probe")
    for delay_s in (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12):
        run = subprocess.Popen([world.diagnose, "probe"], env=world.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            run.wait(delay_s)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
        run.communicate()
        expect(len(world.rows()) >= 1)
    world.target(world.serve(SLOW))
    run = subprocess.Popen([world.diagnose, "probe"], env=world.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    expect("request" in run.stderr.readline(), "the line before the requests")
    run.send_signal(signal.SIGKILL)
    run.communicate()
    same(sqlite3.connect(world.store).execute("PRAGMA integrity_check").fetchone()[0], "ok")
    before = len(world.rows())
    world.target(world.serve(HEALTHY))
    world.run("probe")
    same(len(world.rows()), before + 1)


def goes_on(world, about, **more):
    """A probe that works though the store does not, within bounds."""
    began = time.monotonic()
    said = json.loads(world.run("probe", "--json", **more))
    same(said["targets"][0]["status"], "ok", about)
    expect("without history" in world.stderr and "history.db" in world.stderr, f"{about}: {world.stderr}")
    same(world.stderr.count("without history"), 1, about)
    expect(time.monotonic() - began < PATIENCE_S, about)


def test_a_store_that_another_program_holds_costs_a_warning(world):
    world.target(world.serve(HEALTHY))
    world.run("probe")
    for held in ("BEGIN IMMEDIATE", "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"):
        holder = sqlite3.connect(world.store, isolation_level=None)
        for statement in held.split("; "):
            holder.execute(statement)
        goes_on(world, held)
        holder.execute("ROLLBACK")
        holder.close()
    world.run("probe")
    expect("without history" not in world.stderr, world.stderr)


def test_damage_anywhere_in_the_file_costs_a_warning(world):
    world.target(world.serve(HEALTHY))
    lines = "".join(json.dumps({"at": f"2026-11-{1 + n % 28:02}T10:00:00Z", "uid": f"u{n}", "model": f"m{n % 7}",
                                "diagnosis": "capacity"}) + "\n" for n in range(2000))
    (world.home / "a.jsonl").write_text(lines, encoding="utf-8")
    world.run("history", "import", "a.jsonl")
    whole = world.store.read_bytes()
    spoilt = 0
    for at in range(0, len(whole), len(whole) // 12):
        for path in world.store.parent.iterdir():
            path.unlink()
        world.store.write_bytes(whole[:at] + b"\xa5" * 8192 + whole[at + 8192:])
        said = json.loads(world.run("probe", "--json"))
        same(said["targets"][0]["status"], "ok", at)
        spoilt += "without history" in world.stderr
        for action in (["show"], ["hours"], ["export"]):
            world.run("history", *action, exit_code=None)
            expect("Traceback" not in world.stderr and "Sanitizer" not in world.stderr, world.stderr)
    expect(spoilt >= 2, spoilt)


def test_a_full_disk_costs_a_warning_and_the_store_stays_whole(world):
    world.target(world.serve(HEALTHY))
    world.run("probe")
    lines = "".join(json.dumps({"at": "2026-11-29T10:00:00Z", "uid": f"u{n}", "model": "m", "diagnosis": "ok"}) + "\n"
                    for n in range(500))
    (world.home / "a.jsonl").write_text(lines, encoding="utf-8")
    world.run("history", "import", "a.jsonl")
    size = world.store.stat().st_size
    bound = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size // 8, size // 8))
    world.run("history", "import", "a.jsonl", "--who", "x", exit_code=None, preexec_fn=bound)
    began = time.monotonic()
    code = subprocess.run([world.diagnose, "probe"], env=world.env, capture_output=True, text=True, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)))
    same(code.returncode, 0, code.stderr)
    expect("without history" in code.stderr, code.stderr)
    expect(time.monotonic() - began < PATIENCE_S)
    same(len(world.rows()), 501)


def test_a_read_only_store_is_shown_and_costs_a_warning(world):
    if os.geteuid() == 0:  # root writes anywhere: the case files run this as nobody
        return
    world.target(world.serve(HEALTHY))
    world.run("probe")
    world.store.chmod(0o400)
    world.store.parent.chmod(0o500)
    goes_on(world, "read-only")
    same(len(world.rows()), 1)
    world.store.parent.chmod(0o700)


def old_row(world):
    (world.home / "a.jsonl").write_text('{"at":"2020-01-01T10:00:00Z","uid":"old","model":"m","diagnosis":"ok"}\n',
                                        encoding="utf-8")
    world.run("history", "import", "a.jsonl")


def test_rows_are_kept_for_as_long_as_the_configuration_says(world):
    url = world.serve(HEALTHY)
    for days, is_kept in ((None, False), ("0", True), ("36500", True), ("7", False)):
        world.target(url, more=f"[history]\nkeep_days = {days}\n" if days else "")
        old_row(world)
        world.run("probe")
        same("old" in [row["uid"] for row in world.rows()], is_kept, days)
    old_row(world)
    world.codex.mkdir()
    (world.codex / "config.toml").write_text(f'model = "m"\nmodel_provider = "p"\n[model_providers.p]\nname = "p"\n'
                                             f'base_url = "{url}/v1"\n', encoding="utf-8")
    world.target(url, more="[history]\nkeep_days = 0\n")
    world.run("probe", "--client", "codex", exit_code=None)
    expect("old" in [row["uid"] for row in world.rows()], "a run for one client knows better than the configuration")
    for wrong in ('"7"', "-1", "1.5", "40000"):
        world.target(url, more=f"[history]\nkeep_days = {wrong}\n")
        world.run("probe", exit_code=1)
    world.target(url, more="[history]\nkeep_day = 7\n")
    expect("keep_days" in world.run("probe", exit_code=None) + world.stderr)


def test_a_key_that_another_program_wrote_is_not_shown(world):
    (world.home / "a.jsonl").write_text('{"at":"2026-11-29T10:00:00Z","uid":"u","model":"m","diagnosis":"ok"}\n',
                                        encoding="utf-8")
    world.run("history", "import", "a.jsonl")
    key = "sk-proj-Zq3vN8xLw2Rt7Yb5Kd9Fh1Jm"
    with sqlite3.connect(world.store) as store:
        store.execute(f"UPDATE request SET uid = '{key}', model = 'm {key}', who = '{key}', source = 'x.{key}', steps = '{key}'")
    store.close()
    for args in (["show"], ["show", "--json"], ["export"]):
        said = world.run("history", *args)
        expect(key[8:] not in said + world.stderr and "[masked]" in said, said)


def little_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (40 << 20, 40 << 20))


def test_rows_are_written_as_they_are_read(world):
    count = 60000
    with open(world.home / "rows.jsonl", "w", encoding="utf-8") as rows:
        for number in range(count):
            rows.write(json.dumps({"at": f"{NOW}T00:00:{number % 60:02}Z", "uid": f"u{number}", "diagnosis": "capacity",
                                   "model": f"gpt-{number}"}) + "\n")
    same(world.imported("rows.jsonl"), (count, 0))
    limit = {} if "asan" in world.diagnose else {"preexec_fn": little_memory}
    same(len(json.loads(world.run("history", "show", "--json", **limit))["rows"]), count)
    same(len(world.run("history", "export", **limit).splitlines()), count)
    same(world.run("history", "export", "--output", "out.jsonl"), "", "all of it goes to the file;")
    same((world.home / "out.jsonl").read_text(encoding="utf-8").count("\n"), count)
