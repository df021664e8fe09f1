"""`diagnose verify --since-last`: what changed since the last verify, and whether a real request proved it."""
import json

from world import expect, same

MODELS = "".join(f'[[reply]]\nmodel = "{name}"\nhealthy = "any"\n' for name in ("a", "b"))
FULL = '[[reply]]\nstatus = 503\nbody = \'{"error":{"code":"server_is_overloaded","message":"busy"}}\'\n'


def changes(world, *args, exit_code=0):
    report = json.loads(world.run("verify", "--since-last", "--json", *args, exit_code=exit_code))
    return report["last_verified_at"], [(c["key"], c["from"], c["to"], c["effect"]) for c in report["changes"]]


def test_a_changed_model_is_told_with_its_effect(world):
    url = world.serve(MODELS)
    world.target(url, "a")
    same(changes(world), (None, []))
    at, changed = changes(world)
    expect(at)
    same(changed, [])
    world.target(url, "b")
    same(changes(world)[1], [("model", "a", "b", "taken")])
    same(changes(world)[1], [], "told twice")
    world.target(url, "a")
    expect("model: b -> a, took effect" in world.run("verify", "--since-last"))
    world.target(url, "b")
    expect("model：a -> b，已生效" in world.run("verify", "--since-last", "--lang", "zh"))


def test_a_change_that_nothing_answered_is_unproven(world):
    world.target(world.serve(MODELS), "a")
    changes(world)
    url = world.serve(FULL)
    world.target(url, "b")
    host = url.split("//")[1]
    at, changed = changes(world, exit_code=2)
    same([change for change in changed if change[0] != "host"], [("model", "a", "b", "unproven")])
    same([(c[0], c[2], c[3]) for c in changed if c[0] == "host"], [("host", host, "unproven")])


def test_an_offline_verify_compares_and_leaves_no_row(world):
    url = world.serve(MODELS)
    world.target(url, "a")
    changes(world)
    world.target(url, "b")
    for _ in range(2):
        same(changes(world, "--offline")[1], [("model", "a", "b", "unproven")])
    same(len(world.rows()), 1)


def test_a_model_that_another_layer_hides_did_not_take_effect(world):
    url = world.serve(MODELS)
    world.codex.mkdir()
    text = 'model = "{}"\nmodel_provider = "p"\n[model_providers.p]\nname = "p"\nbase_url = "{}/v1"\n'
    run = ["--client", "codex", "--client-version", "0.171.0"]
    (world.codex / "config.toml").write_text(text.format("a", url), encoding="utf-8")
    same(changes(world, *run), (None, []))
    (world.codex / "config.toml").write_text(text.format("b", url), encoding="utf-8")
    (world.codex / "fast.config.toml").write_text('model = "a"\n', encoding="utf-8")
    at, changed = changes(world, *run, "--", "codex", "-p", "fast", exit_code=None)
    same([c for c in changed if c[0] == "model"], [("model", "a", "b", "not_taken")])


def test_without_history_nothing_is_compared(world):
    world.target(world.serve(MODELS), "a")
    world.run("verify")
    same(changes(world, "--no-history"), (None, []))
    expect("none is on record" in world.run("verify", "--since-last", "--no-history"))
