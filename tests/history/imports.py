"""`diagnose history import codex`: what every version of Codex left behind, and what strangers could leave there."""
import json
import os
import resource
import sqlite3
import time
import tomllib

from codex_home import FIRST_TURN_S, RECORDED, VERSIONS, CodexHome, lines_of, recorded_rollout, recorded_turns
from world import cpu_seconds, expect, same

KEY = "sk-proj-Hq7Lm2Xv9Rt4Nb6Kd1Wz8Py3Jt5Ws8Cq"
HERE = os.path.dirname(os.path.abspath(__file__))


def expected():
    """{version: {scenario: diagnosis}}"""
    with open(os.path.join(HERE, "expected.toml"), "rb") as file:
        return {version: {scenario: diagnosis for diagnosis, scenarios in kinds.items() for scenario in scenarios}
                for version, kinds in tomllib.load(file).items()}


def turn(name, at, error=None, **more):
    """A turn as 0.171.0 tells it: begun, and ended a second later."""
    begun = {"timestamp": f"2026-11-29T{at}:00.000Z", "type": "event_msg",
             "payload": {"type": "task_started", "turn_id": name, "model_context_window": 258400}}
    ended = {"timestamp": f"2026-11-29T{at}:01.500Z", "type": "event_msg",
             "payload": {"type": "task_complete", "turn_id": name, "duration_ms": 1500, "error": error, **more,
                         "last_agent_message": None if error else "pong"}}
    return [begun, ended]


def meta(at="12:00", model="gpt-x", **more):
    return [{"timestamp": f"2026-11-29T{at}:00.000Z", "type": "session_meta",
             "payload": {"id": "s-1", "cli_version": "0.171.0", "model_provider": "openai", **more}},
            {"timestamp": f"2026-11-29T{at}:00.000Z", "type": "turn_context", "payload": {"turn_id": "t-1", "model": model}}]


FULL = {"message": "Selected model is at capacity. Please try a different model.", "codex_error_info": "server_overloaded"}


def test_every_scenario_of_every_version_is_what_it_was(world):
    table = expected()
    same(sorted(table), sorted(VERSIONS))
    for version in VERSIONS:
        home = CodexHome(world.home / version)
        recorded = recorded_rollout(version)
        home.recorded(version)
        added, known = world.imported("codex", env={"CODEX_HOME": str(home.folder)})
        rows = {row["at"]: row for row in world.rows()}
        same((added, known), (len(recorded), 0), version)
        for scenario, lines in recorded.items():
            ends = [line for line in lines if line["type"] in ("event_msg", "turn_context")]
            last = [line for line in ends if line["payload"].get("type") != "token_count"] or ends
            row = rows[(ends if version == "0.40.0" else last)[-1]["timestamp"]]
            same(row["diagnosis"], table[version][scenario], f"{version} {scenario}")
        world.run("history", "clear")


def test_a_whole_rollout_tells_model_version_session_and_context(world):
    home = CodexHome(world.codex)
    whole = [(version, scenario, lines) for version in VERSIONS[1:]
             for scenario, lines in recorded_rollout(version).items() if lines[0]["type"] == "session_meta"]
    for version, scenario, lines in whole:
        home.rollout(lines_of(lines), f"{version}-{scenario}")
    expect(len(whole) >= 9)
    same(world.imported("codex"), (len(whole), 0))
    for row in world.rows():
        same((row["model"], row["source"], row["client"]), ("gpt-5", "codex", "codex"), row)
        same(row["context_window"], 258400, row)
        expect(row["client_version"] in VERSIONS and row["session_ms"] < 10000 and row["total_ms"] < 10000, row)
        same(row.get("context_tokens"), 1239 if row["diagnosis"] == "ok" else None, row)


def test_turns_of_the_database_with_the_newest_in_its_log_alone(world):
    home = CodexHome(world.codex)
    recorded = recorded_turns()
    rows = [(f"t-{at}", f"th-{at % 3}", entry["status"], json.dumps(entry["error_json"]) if entry["error_json"] else None,
             FIRST_TURN_S + 60 * at, FIRST_TURN_S + 60 * at + 7 if entry["duration_ms"] is not None else None,
             entry["duration_ms"]) for at, (_, entry) in enumerate(recorded)]
    home.database(rows, [(f"th-{n}", f"gpt-{n}", "0.171.0", "openai") for n in range(3)], in_log=50)
    before = home.listing()
    ended = [at for at, (_, entry) in enumerate(recorded) if entry["status"] in ("completed", "failed")]
    expect(len(ended) > 90)
    same(world.imported("codex"), (len(ended), 0))
    same(home.listing(), before, "something of Codex's was changed")
    table = expected()["0.171.0"]
    got = {row["uid"]: row for row in world.rows()}
    compared = 0
    for at in ended:
        scenario, row = recorded[at][0], got[f"codex:t-{at}"]
        same((row["model"], row["client_version"], row["provider"]), (f"gpt-{at % 3}", "0.171.0", "openai"))
        same(row["at"], time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(FIRST_TURN_S + 60 * at + 7)))
        if scenario in table:
            same(row["diagnosis"], table[scenario], scenario)
            compared += 1
    expect(compared > 80, compared)
    home.close()
    same(world.imported("codex")[0], 0)


def test_a_database_at_rest_is_left_as_it_is(world):
    """Reading in place would make a -wal and a -shm that stay."""
    home = CodexHome(world.codex)
    home.database([("t-1", "th", "failed", json.dumps(FULL), FIRST_TURN_S, FIRST_TURN_S + 1, 1000)])
    home.close()
    before = home.listing()
    expect(not any(name.endswith("-shm") for name in before), before)
    same(world.imported("codex"), (1, 0))
    same(home.listing(), before)
    same([name for name in os.listdir(world.home) if name.startswith("diagnose-")], [], "a copy stayed")


def test_a_log_without_its_index_is_read_too(world):
    """A home that was copied while Codex ran: all rows are in the -wal, and nobody has it open."""
    live = CodexHome(world.home / "live")
    live.database([("t-1", "th", "failed", json.dumps(FULL), FIRST_TURN_S, FIRST_TURN_S + 1, 1000)], in_log=1)
    home = CodexHome(world.codex)
    for name in ("thread_history_1.sqlite", "thread_history_1.sqlite-wal"):
        (home.folder / name).write_bytes((live.folder / name).read_bytes())
    live.close()
    before = home.listing()
    same(world.imported("codex"), (1, 0))
    same(home.listing(), before)


def test_a_turn_of_both_records_counts_once_and_knows_what_both_know(world):
    home = CodexHome(world.codex)
    silent = {"timestamp": "2026-11-29T13:05:00.000Z", "type": "event_msg",
              "payload": {"type": "task_complete", "turn_id": "t-2", "last_agent_message": None}}
    home.rollout(lines_of(meta() + turn("t-1", "13:00", FULL) + [silent]))
    home.database([("t-1", "s-1", "failed", json.dumps(FULL), FIRST_TURN_S, FIRST_TURN_S + 1, 1000),
                   ("t-2", "s-1", "failed", json.dumps({"message": "Quota exceeded. Check your plan and billing details."}),
                    FIRST_TURN_S, FIRST_TURN_S + 1, 1000),
                   ("t-3", "s-1", "completed", None, FIRST_TURN_S, FIRST_TURN_S + 1, 1000)])
    same(world.imported("codex"), (3, 0))
    rows = {row["uid"]: row for row in world.rows()}
    same(rows["codex:t-1"]["context_window"], 258400)
    same(rows["codex:t-1"]["at"], "2026-11-29T13:00:01.500Z")
    same([rows[f"codex:t-{n}"]["diagnosis"] for n in (1, 2, 3)], ["capacity", "quota_exhausted", "ok"])


def test_importing_twice_adds_nothing_and_a_changed_file_its_news(world):
    home = CodexHome(world.codex)
    path = home.rollout(lines_of(meta() + turn("t-1", "13:00", FULL)))
    same(world.imported("codex"), (1, 0))
    same(world.imported("codex"), (0, 0))
    with open(path, "a", encoding="utf-8") as out:
        out.write(lines_of(turn("t-2", "13:10")))
    same(world.imported("codex"), (1, 1))
    same(world.imported("codex"), (0, 0))
    same([row["diagnosis"] for row in world.rows()], ["capacity", "ok"])


def test_a_half_written_line_is_taken_later(world):
    home = CodexHome(world.codex)
    text = lines_of(meta() + turn("t-1", "13:00") + turn("t-2", "13:10", FULL))
    path = home.rollout(text[:-40])
    same(world.imported("codex"), (1, 0))
    path.write_text(text[:-1], encoding="utf-8")
    same(world.imported("codex"), (0, 1))
    path.write_text(text, encoding="utf-8")
    same(world.imported("codex"), (1, 1))
    same([row["at"] for row in world.rows()], ["2026-11-29T13:00:01.500Z", "2026-11-29T13:10:01.500Z"])


def test_retries_of_old_versions_are_one_failure_when_they_are_over(world):
    home = CodexHome(world.codex)
    now = time.time()
    stamp = lambda ago: time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(now - ago))
    lines = [{"timestamp": stamp(60), "type": "session_meta", "payload": {"id": "s", "cli_version": "0.40.0"}}]
    lines += [{"timestamp": stamp(50 - n), "type": "turn_context", "payload": {"model": "gpt-5"}} for n in range(4)]
    path = home.rollout(lines_of(lines))
    same(world.imported("codex"), (0, 0), "it may still succeed;")
    for line in lines:
        line["timestamp"] = line["timestamp"].replace(line["timestamp"][:10], "2026-11-20")
    path.write_text(lines_of(lines), encoding="utf-8")
    same(world.imported("codex"), (1, 0))
    same(world.imported("codex"), (0, 0))


def test_archived_sessions_count_and_open_or_stopped_turns_do_not(world):
    home = CodexHome(world.codex)
    path = home.rollout(lines_of(meta() + turn("t-1", "13:00", FULL)))
    (home.folder / "archived_sessions").mkdir()
    path.rename(home.folder / "archived_sessions" / path.name)
    stopped = {"timestamp": "2026-11-29T13:20:01.000Z", "type": "event_msg",
               "payload": {"type": "turn_aborted", "turn_id": "t-3", "reason": "interrupted"}}
    home.rollout(lines_of(meta() + turn("t-2", "13:10")[:1] + turn("t-3", "13:20")[:1] + [stopped]), "b")
    same(world.imported("codex"), (1, 0))


def hostile(home):
    """Rollouts that nobody would want, and one good turn behind them."""
    home.rollout(bytes(range(256)) * 4096, "binary")
    home.rollout(b'{"timestamp":"2026-11-29T13:00:00Z","type":"event_msg","payload":' + b'{"a":' * 200000 + b"\n", "deep")
    home.rollout('{"timestamp":"2026-11-29T13:00:00Z","type":"event_msg","payload":{"type":"task_complete","x":"'
                 + "x" * (2 << 20) + '"}}\n', "long")
    wrong = [[], 5, "x", None, {"type": 5}, {"timestamp": 5, "type": "event_msg", "payload": []},
             {"timestamp": "2026-11-29T13:00:00Z", "type": "event_msg", "payload": {"type": "task_complete", "turn_id": [1]}},
             {"timestamp": "2026-11-29T13:00:00Z", "type": "event_msg",
              "payload": {"type": "token_count", "info": [], "rate_limits": {"primary": 3}}},
             {"timestamp": "9999-99-99", "type": "session_meta", "payload": {"id": {}}},
             {"timestamp": "2026-11-29T13:00:00Z", "type": "turn_context", "payload": 7}]
    home.rollout(lines_of(wrong), "wrong-types")
    sparse = home.rollout("", "sparse")
    with open(sparse, "r+b") as out:
        out.truncate(640 << 20)
    folder = sparse.parent
    os.symlink("/etc/passwd", folder / "rollout-link.jsonl")
    os.symlink(folder, folder / "circle")
    os.mkfifo(folder / "rollout-fifo.jsonl")
    (folder / "rollout-folder.jsonl").mkdir()
    os.mkfifo(home.folder / "thread_history_7.sqlite")
    home.rollout(lines_of(meta() + turn("t-1", "13:00", FULL)), "good")


def test_hostile_files_cost_nothing_but_time(world):
    home = CodexHome(world.codex)
    hostile(home)
    taken = cpu_seconds(lambda: world.imported(
        "codex", timeout=120, preexec_fn=None if "asan" in world.diagnose else bounded_memory))
    expect(taken < 8, f"it took {taken:.1f} s")
    expect(len(world.rows()) <= 2)
    expect("codex:t-1" in [row["uid"] for row in world.rows()], "the good turn is lost")


def bounded_memory():
    """What strangers write may not make a run grow; sanitizers reserve more than any limit."""
    resource.setrlimit(resource.RLIMIT_AS, (320 << 20, 320 << 20))


def test_unreadable_files_are_counted_and_the_rest_is_taken(world):
    home = CodexHome(world.codex)
    home.rollout(lines_of(meta() + turn("t-1", "13:00", FULL)))
    path = home.rollout(lines_of(meta() + turn("t-2", "13:00", FULL)), "closed")
    (home.folder / "thread_history_1.sqlite").write_bytes(b"this is no database" * 500)
    path.chmod(0)
    added, _ = world.imported("codex")
    same(added, 2 if os.geteuid() == 0 else 1)
    expect("could not be read" in world.stderr, world.stderr)


def test_an_endless_view_in_place_of_the_table_ends(world):
    home = CodexHome(world.codex)
    database = sqlite3.connect(home.folder / "thread_history_1.sqlite")
    database.execute("CREATE VIEW thread_turns AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
                     "SELECT x turn_id, x thread_id, 'open' status, '' error_json, 1 started_at, 1 completed_at, "
                     "1 duration_ms, 1 rollout_ordinal FROM n")
    database.commit()
    database.close()
    world.config('[[target]]\nname = "t"\nclient = "x"\nbase_url = "http://127.0.0.1:9/v1"\nwire = "chat"\nmodel = "m"\n')
    (home.folder / "config.toml").write_text('model = "gpt-x"\nmodel_provider = "p"\n[model_providers.p]\nname = "p"\n'
                                             'base_url = "http://127.0.0.1:9/v1"\n', encoding="utf-8")
    taken = cpu_seconds(lambda: world.run("probe", "--client", "codex", exit_code=None))
    expect(taken < 3, f"the budget was not kept: {taken:.1f} s")


def test_no_key_of_an_error_or_a_name_is_kept(world):
    home = CodexHome(world.codex)
    error = {"message": f"Incorrect API key provided: {KEY}. \u001b[31m", "codex_error_info": "other"}
    home.rollout(lines_of(meta(model=KEY, cli_version=f"Bearer {KEY}") + turn("t-1\u001b[2J", "13:00", error)
                          + turn(KEY, "13:10", error)))
    same(world.imported("codex")[0], 2)
    said = world.run("history", "export") + world.run("history") + world.run("history", "--json")
    kept = b"".join(path.read_bytes() for path in world.store.parent.iterdir())
    expect(KEY not in said and KEY.encode() not in kept, "the key is on record")
    expect("\u001b" not in said, "control characters come through")
    same({row["diagnosis"] for row in world.rows()}, {"auth_invalid_key"})


def test_without_any_record_of_codex_nothing_is_added(world):
    same(world.imported("codex"), (0, 0))
    expect(RECORDED.is_dir())
