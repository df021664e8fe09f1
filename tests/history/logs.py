"""`diagnose history import FILE` of logs: one row a failing entry, at its time, and the same row at every import."""
import datetime
import json
import time

from world import expect, same

KEY = "sk-proj-Hq7Lm2Xv9Rt4Nb6Kd1Wz8Py3Jt5Ws8Cq"
FULL = 'call to model=gpt-x failed: HTTP 503 {"error":{"code":"server_is_overloaded","message":"busy"}}'
BUSY = 'HTTP 429 {"error":{"code":"rate_limit_exceeded","message":"Rate limit reached for gpt-y. Please try again in 20s."}}'
NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)


def at(minutes_ago, text, level="ERROR"):
    return f"{(NOW - datetime.timedelta(minutes=minutes_ago)).strftime('%Y-%m-%dT%H:%M:%SZ')} {level} {text}\n"


def write(world, text, name="gateway.log"):
    (world.home / name).write_text(text, encoding="utf-8")
    return name


def log():
    return (at(50, "server started", "INFO") + at(40, FULL) + at(30, "request took 12 ms", "INFO") + at(30, FULL)
            + at(30, FULL) + at(20, BUSY) + at(10, "done", "INFO"))


def test_every_failing_entry_is_a_row_at_its_time(world):
    same(world.imported(write(world, log())), (4, 0))
    rows = world.rows()
    same([row["diagnosis"] for row in rows], ["capacity", "capacity", "capacity", "rate_limit"])
    same([row["at"] for row in rows], [at(minutes, "").split()[0] for minutes in (40, 30, 30, 20)])
    same({row["source"] for row in rows}, {"log"})
    same(rows[0]["model"], "gpt-x")
    same(rows[3]["wait_ms"], 20000)
    same(len({row["uid"] for row in rows}), 4, "two equal entries are two requests;")


def test_importing_twice_adds_nothing_and_a_grown_log_its_news(world):
    name = write(world, log())
    same(world.imported(name), (4, 0))
    same(world.imported(name), (0, 4))
    write(world, log() + at(30, FULL) + at(1, FULL))
    same(world.imported(name), (2, 4))
    write(world, log() + at(30, FULL) + at(1, FULL), "rotated.log")
    same(world.imported("rotated.log"), (0, 6), "the same log by another name;")


def test_several_logs_and_records_of_others_in_one_go(world):
    first, second = write(world, at(40, FULL), "a.log"), write(world, at(39, FULL), "b.log")
    third = write(world, json.dumps({"at": NOW.strftime("%Y-%m-%dT%H:%M:%SZ"), "uid": "x", "diagnosis": "ok"}) + "\n", "c.jsonl")
    same(world.imported(first, second, third, "--who", "ann"), (3, 0))
    same({row["who"] for row in world.rows()}, {"ann"})


def test_entries_without_a_time_stand_at_that_of_the_one_before_or_of_the_file(world):
    name = write(world, "ERROR " + FULL + "\nINFO x\n" * 3)
    same(world.imported(name, "--who", "x"), (1, 0))
    moment = datetime.datetime.fromisoformat(world.rows()[0]["at"].replace("Z", "+00:00")).timestamp()
    expect(abs(moment - time.time()) < 60, moment)
    time.sleep(0.01)
    (world.home / name).touch()
    same(world.imported(name), (0, 1), "a touched file is the same file;")


def test_an_entry_without_a_time_has_that_of_the_entry_before_whatever_that_told(world):
    untimed = "ERROR " + FULL + "\n"
    trace = "Traceback (most recent call last):\n  File \"a.py\", line 3\nopenai.Error: time=2020-01-01T00:00:00Z\n"
    same(world.imported(write(world, at(50, FULL) + at(20, "fine", "INFO") + untimed + at(10, "fine", "INFO") + "plain\n"
                              + untimed + at(9, "failed") + trace + untimed)), (4, 0))
    same([row["at"] for row in world.rows()], [at(minutes, "").split()[0] for minutes in (50, 20, 10, 9)])


def test_so_it_has_where_the_log_comes_in_many_blocks(world):
    untimed, calm, plain = "ERROR " + FULL + "\n", at(20, "request took 12 ms", "INFO"), "a line without any time\n"
    text = at(50, FULL) + calm * 20000 + plain * 20000 + untimed + calm * 100000 + at(10, "fine", "INFO") + untimed
    same(world.imported(write(world, text)), (3, 0))
    same([row["at"] for row in world.rows()], [at(minutes, "").split()[0] for minutes in (50, 20, 10)])


def test_json_logs_name_model_and_provider(world):
    entry = {"ts": NOW.strftime("%Y-%m-%dT%H:%M:%S.250Z"), "level": "error", "model": "gpt-z", "provider": "openai",
             "msg": "upstream failed", "error": {"code": "server_is_overloaded", "message": "busy"}, "status": 503}
    same(world.imported(write(world, json.dumps(entry) + "\n" + json.dumps({**entry, "level": "info", "error": None,
                                                                            "status": 200, "msg": "fine"}) + "\n")), (1, 0))
    row = world.rows()[0]
    same((row["at"], row["model"], row["provider"], row["diagnosis"]), (entry["ts"], "gpt-z", "openai", "capacity"))


def test_no_key_of_a_log_is_kept(world):
    world.imported(write(world, at(5, f'HTTP 401 Incorrect API key provided: {KEY} for model={KEY}')))
    same(len(world.rows()), 1)
    kept = b"".join(path.read_bytes() for path in world.store.parent.iterdir())
    expect(KEY.encode() not in kept and KEY not in world.run("history", "export"))


def test_a_large_log_is_taken_whole(world):
    text = "".join(at(minute, FULL if minute % 3 else "fine", "ERROR" if minute % 3 else "INFO") for minute in range(9000, 0, -1))
    same(world.imported(write(world, text * 1)), (6000, 0))
    same(world.imported("gateway.log"), (0, 6000))


def test_what_a_log_told_counts_in_the_verdict(world):
    url = world.serve('[[reply]]\nstatus = 503\nbody = \'{"error":{"code":"server_is_overloaded","message":"busy"}}\'\n')
    world.target(url, "gpt-x")
    world.imported(write(world, "".join(at(minute, FULL) for minute in (200, 150, 100, 60))))
    verdict = json.loads(world.run("probe", "--json", exit_code=2))["verdicts"][0]
    same((verdict["id"], verdict["basis"]["capacity_failures"]), ("capacity-frequent", 5))
    expect("5 of 5 requests" in verdict["why"], verdict["why"])


def test_what_is_no_file_is_refused(world):
    (world.home / "folder").mkdir()
    for name in ("folder", "missing.log"):
        world.run("history", "import", name, exit_code=4)
    same(world.imported(write(world, "", "empty.log")), (0, 0))
    same(world.imported(write(world, "\x00\xff\n" * 1000, "binary.log")), (0, 0))
