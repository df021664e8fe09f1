"""A home of Codex for a test: rollouts of tests/recorded below sessions/, turns in a database of the recorded schema."""
import json
import os
import pathlib
import re
import sqlite3

RECORDED = pathlib.Path(__file__).resolve().parent.parent / "recorded"
VERSIONS = ["0.40.0", "0.104.0", "0.142.0", "0.150.0", "0.155.0", "0.160.0", "0.165.0", "0.171.0"]
FIRST_TURN_S = 1795960000  # 2026-11-29 13:46:40 UTC


def recorded_rollout(version):
    """{scenario: [line]} of a version, in order."""
    scenarios = {}
    with open(RECORDED / f"rollout-{version}.jsonl", encoding="utf-8") as file:
        for text in file:
            entry = json.loads(text)
            scenarios.setdefault(entry["scenario"], []).append(entry["line"])
    return scenarios


def recorded_turns():
    """[(scenario, row)] of thread_turns; times are what the test makes them."""
    with open(RECORDED / "thread_turns-0.171.0.jsonl", encoding="utf-8") as file:
        return [(entry["scenario"], entry) for entry in map(json.loads, file)]


def lines_of(entries):
    return "".join(json.dumps(entry, separators=(",", ":"), ensure_ascii=False) + "\n" for entry in entries)


class CodexHome:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.writers = []

    def rollout(self, text, name="a", day="2026/11/29"):
        """Writes a rollout; the path. `text` may be bytes."""
        path = self.folder / "sessions" / day / f"rollout-2026-11-29T13-00-00-{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def recorded(self, version):
        """One rollout for each scenario of a version."""
        for scenario, entries in recorded_rollout(version).items():
            self.rollout(lines_of(entries), f"{version}-{scenario}")

    def database(self, rows, threads=(), in_log=0):
        """thread_history_1 and state_5 with rows (turn, thread, status, error, started, completed, duration); the last
        `in_log` of them stand in the -wal only, which stays as long as this home's writer is open."""
        schema = (RECORDED / "sqlite-schema-0.171.0.sql").read_text(encoding="utf-8")
        parts = dict(re.findall(r"^-- (\w+)\.sqlite$\n(.*?)(?=^-- \w+\.sqlite$|\Z)", schema, re.M | re.S))
        for name in ("thread_history_1", "state_5"):
            writer = sqlite3.connect(self.folder / f"{name}.sqlite")
            writer.execute("PRAGMA journal_mode = WAL")
            writer.execute("PRAGMA wal_autocheckpoint = 0")
            writer.executescript(re.sub(r"^CREATE TABLE sqlite_sequence.*$", "", parts[name], flags=re.M))
            self.writers.append(writer)
        turns, state = self.writers[-2:]
        put = "INSERT INTO thread_turns(turn_id, thread_id, status, error_json, started_at, completed_at, duration_ms, " \
              "rollout_ordinal) VALUES(?,?,?,?,?,?,?,?)"
        split = len(rows) - in_log
        turns.executemany(put, [(*row, at) for at, row in enumerate(rows[:split])])
        turns.commit()
        if in_log:
            turns.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            turns.executemany(put, [(*row, split + at) for at, row in enumerate(rows[split:])])
            turns.commit()
        state.executemany("INSERT INTO threads(id, model, cli_version, model_provider, rollout_path, created_at, updated_at, "
                          "source, cwd, title, sandbox_policy, approval_mode) VALUES(?,?,?,?,'',0,0,'','','','','')", threads)
        state.commit()

    def close(self):
        for writer in self.writers:
            writer.close()
        self.writers = []

    def listing(self):
        """Every file with its size and time of change, to see that nothing was touched. The -shm of a database in use is
        the memory that its readers share."""
        return {str(path.relative_to(self.folder)): (path.stat().st_size, not path.name.endswith("-shm") and
                                                     path.stat().st_mtime_ns)
                for path in sorted(self.folder.rglob("*")) if path.is_file()}
