"""Plain `diagnose` looks at Codex's recent sessions by itself: read-only, in bounded time, adding nothing to the record."""
import datetime
import json
import time

from codex_home import CodexHome, lines_of
from imports import FULL, hostile
from world import cpu_seconds, expect, same

BUSY = '[[reply]]\nmodel = "{}"\nstatus = 503\nbody = \'{{"error":{{"code":"server_is_overloaded","message":"busy"}}}}\'\n'
HEALTHY = '[[reply]]\nhealthy = "any"\n'


def ago(minutes):
    moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=minutes)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def session(turns, model="gpt-x", tokens=None, limit=None, begun=300):
    """A rollout of turns [(minutes ago, error or None)]."""
    lines = [{"timestamp": ago(begun), "type": "session_meta",
              "payload": {"id": f"s-{model}", "cli_version": "0.171.0", "model_provider": "p"}}]
    for minutes, error in turns:
        name = f"{model}-{minutes}"
        lines += [{"timestamp": ago(minutes), "type": "event_msg", "payload": {"type": "task_started", "turn_id": name}},
                  {"timestamp": ago(minutes), "type": "turn_context", "payload": {"turn_id": name, "model": model}}]
        if tokens:
            lines.append({"timestamp": ago(minutes), "type": "event_msg", "payload": {
                "type": "token_count", "info": {"last_token_usage": {"total_tokens": tokens}, "model_context_window": 258400},
                "rate_limits": {"primary": {"used_percent": limit or 0.0}}}})
        lines.append({"timestamp": ago(minutes), "type": "event_msg",
                      "payload": {"type": "task_complete", "turn_id": name, "error": error,
                                  "last_agent_message": None if error else "pong"}})
    return lines_of(lines)


def codex(world, url):
    home = CodexHome(world.codex)
    (home.folder / "config.toml").write_text(f'model = "gpt-x"\nmodel_provider = "p"\n[model_providers.p]\nname = "p"\n'
                                             f'base_url = "{url}/v1"\n', encoding="utf-8")
    return home


def judged(world, exit_code, *more):
    return json.loads(world.run("--client", "codex", "--client-version", "0.171.0", "--json", *more,
                                exit_code=exit_code))["verdicts"]


def five(**more):
    return session([(200, FULL), (150, FULL), (100, None), (60, FULL), (40, FULL)], **more)


def test_what_codex_met_lately_makes_it_frequent_with_its_numbers(world):
    home = codex(world, world.serve(BUSY.format("gpt-x")))
    home.rollout(five(tokens=230000, limit=12.0))
    before = home.listing()
    verdict = judged(world, 2)[0]
    same((verdict["id"], verdict["basis"]["capacity_failures"], verdict["basis"]["requests"]), ("capacity-frequent", 5, 6))
    for part in ("5 of 6 requests", "Limits are used to 12 %", "89 % full (230000 of 258400 tokens)", "session is 4"):
        expect(part in verdict["why"], f"{part}: {verdict['why']}")
    chinese = judged(world, 2, "--lang", "zh")[0]["why"]
    expect("限额只用了 12 %" in chinese and "上下文已占用 89 %" in chinese, chinese)
    same(home.listing(), before, "something of Codex's was changed")


def test_it_is_looked_at_and_not_imported(world):
    home = codex(world, world.serve(BUSY.format("gpt-x")))
    home.rollout(session([(60, FULL), (50, FULL)]))
    judged(world, 2)
    same([row["source"] for row in world.rows()], ["probe"])
    same(world.imported("codex"), (2, 0))
    expect("4 of 4 requests" in judged(world, 2)[0]["why"], "an imported turn counts once")


def test_a_model_that_answers_again_is_a_note(world):
    home = codex(world, world.serve(HEALTHY))
    home.rollout(session([(30, FULL)]))
    verdict = judged(world, 0)[0]
    same((verdict["id"], verdict["severity"]), ("capacity-occasional", "info"))


def test_another_model_of_the_session_minutes_ago_is_a_switch(world):
    home = codex(world, world.serve(BUSY.format("gpt-x")))
    home.rollout(session([(5, FULL)], model="gpt-y"))
    same([verdict["id"] for verdict in judged(world, 2)], ["capacity-after-switch", "capacity-occasional"])


def test_an_old_session_and_another_model_do_not_count(world):
    home = codex(world, world.serve(BUSY.format("gpt-x")))
    home.rollout(session([(1500 + n, FULL) for n in range(6)], begun=3000))
    home.rollout(session([(60 + n, FULL) for n in range(6)], model="gpt-z"), "other")
    same([verdict["id"] for verdict in judged(world, 2)], ["capacity-occasional"])


def test_turns_of_the_database_count_too(world):
    home = codex(world, world.serve(BUSY.format("gpt-x")))
    now = int(time.time())
    home.database([(f"t-{n}", "th", "failed", json.dumps({**FULL, "codexErrorInfo": "serverOverloaded"}),
                    now - 600 * n, now - 600 * n + 1, 1000) for n in range(1, 5)], [("th", "gpt-x", "0.171.0", "p")], in_log=2)
    same(judged(world, 2)[0]["id"], "capacity-frequent")


def test_without_history_nothing_is_looked_at(world):
    home = codex(world, world.serve(BUSY.format("gpt-x")))
    home.rollout(five())
    same(judged(world, 2, "--no-history")[0]["id"], "capacity-occasional")


def test_hostile_and_endless_sessions_cost_no_more_than_the_budget(world):
    """What is over the budget is not read: three times as much costs the same. No turn ends in these sessions, so the
    number of records does not stop the reading either."""
    home = codex(world, world.serve(BUSY.format("gpt-x")))
    hostile(home)
    folder = home.folder / "sessions" / "2026" / "11" / "28"
    folder.mkdir(parents=True)
    for n in range(3000):
        (folder / f"rollout-2026-11-28T00-00-00-{n}.jsonl").write_bytes(b"")
    endless = lines_of([{"timestamp": ago(1), "type": "event_msg", "payload": {"type": "task_started", "turn_id": f"t-{n}"}}
                        for n in range(20000)])

    def cost_of(rollouts):
        for n in rollouts:
            home.rollout(endless, f"endless-{n}")
        return cpu_seconds(lambda: judged(world, 2))
    once, thrice = cost_of(range(15)), cost_of(range(15, 45))
    expect(thrice < once * 1.5, f"{thrice:.2f} s, a third of it {once:.2f} s")


def test_thousands_of_refusals_for_capacity_cost_what_other_failures_cost(world):
    home = codex(world, world.serve(BUSY.format("gpt-x")))
    wrong_key = {"message": "Incorrect API key provided: sk-x.", "codex_error_info": "other"}

    def cost_of(error):
        for n in range(2):
            home.rollout("".join(session([(m % 1400 + 1, error)], model=f"m{n}-{m}") for m in range(2500)), f"many-{n}")
        return cpu_seconds(lambda: judged(world, 2))
    others, refusals = cost_of(wrong_key), cost_of(FULL)
    expect(refusals < others * 3, f"{refusals:.2f} s of refusals, {others:.2f} s of other failures")
