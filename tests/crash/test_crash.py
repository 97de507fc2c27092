"""Killed at any moment: nothing that a client saw finished is lost, and nothing has had an effect without a trace.

`CALLGATE_CRASH=N` kills N times at random moments and N/2 times at the moment at which a client sees an end.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import pytest
from tests.crash.peers import SECONDS, Client, Finished, Peers, peers
from tests.depth import FULL

from callgate.core.events import InvocationChanged, WireCaptured
from callgate.core.rules.audit import Verified, verify_lines
from callgate.store.event_json import read_event
from callgate.store.reading import open_for_reading
from callgate.store.tables.audit_rows import audit_lines
from callgate.store.tables.wire_rows import wire_of

COMMAND = [str(Path(sys.executable).with_name("callgate"))]
READY = "Callgate listening on http://127.0.0.1:"
KILLS = int(os.environ.get("CALLGATE_CRASH", "12" if FULL else "6"))
CLIENTS = 4
LONGEST_RUN = 0.5
"""Seconds under load before a random kill."""

CONFIG = """
[[upstreams]]
name = "provider"
wire = "openai-chat"
base_url = "{provider}"

[[rules]]
verdict = "allow"
tool = "write_file"

[[rules]]
verdict = "allow"
tool = "notify"
"""


@dataclass
class Bench:
    """A data folder on which one Callgate after the other is killed."""

    folder: Path
    peers: Peers
    finished: list[Finished] = field(default_factory=list)
    chance: Random = field(default_factory=lambda: Random(20))

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    def prepare(self) -> None:
        self.workspace.mkdir()
        (self.folder / "callgate.toml").write_text(CONFIG.format(provider=self.peers.provider), "utf-8")
        process, port = self.start()
        tool = {
            "name": "notify",
            "description": "Notes a task.",
            "inputSchema": {"type": "object", "properties": {"task": {"type": "string"}}},
            "callback_url": self.peers.callback,
            "persist": True,
        }
        answer = httpx.post(f"http://127.0.0.1:{port}/v1/tools", json=tool, trust_env=False)
        assert answer.status_code < 300, answer.text
        self.end(process)

    def start(self) -> tuple[subprocess.Popen[str], int]:
        options = ["--port", "0", "--data", str(self.data), "--workspace", str(self.workspace)]
        with (self.folder / "stderr").open("a") as errors:
            process = subprocess.Popen(
                [*COMMAND, "serve", *options, "--config", str(self.folder / "callgate.toml")],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(READY):
                return process, int(line.removeprefix(READY))
        raise AssertionError((self.folder / "stderr").read_text("utf-8"))

    def end(self, process: subprocess.Popen[str]) -> None:
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0
        process.stdout.close()  # type: ignore[union-attr]

    def kill_under_load(self, *, at_an_end: bool) -> None:
        process, port = self.start()
        first = threading.Event()
        wanted = self.chance.randrange(1, 8)

        def seen(finished: Finished) -> None:
            self.finished.append(finished)
            if at_an_end and len(self.finished) - before >= wanted:
                process.kill()
            first.set()

        before = len(self.finished)
        clients = [Client(port, self.chance.getrandbits(32), seen) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        if at_an_end:
            process.wait(SECONDS)
        else:
            assert first.wait(SECONDS)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(self.chance.uniform(0.001, LONGEST_RUN))  # the moment is to be any
            process.kill()
            process.wait(SECONDS)
        for client in clients:
            client.stop = True
            client.join(SECONDS)
            assert not client.is_alive()
        process.stdout.close()  # type: ignore[union-attr]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with peers() as around:
        bench = Bench(tmp_path, around)
        bench.prepare()
        yield bench


@dataclass
class Told:
    """What the journal tells after everything."""

    outcomes: dict[str, str]
    sent: dict[str, bytes]
    calls: list[InvocationChanged]
    decided: set[str]
    """Invocations with an entry in the audit."""
    chain: object


def told(bench: Bench) -> Told:
    process, _ = bench.start()  # the start that recovers
    bench.end(process)
    connection = open_for_reading(bench.data / "callgate.db")
    try:
        exchanges = connection.execute("SELECT exchange_id, outcome FROM exchanges").fetchall()
        wires = {one.exchange: wire_of(connection, one.exchange) for one in bench.finished}
        rows = connection.execute("SELECT body FROM events WHERE kind = 'invocation' ORDER BY id").fetchall()
        calls = [event for (body,) in rows if isinstance(event := read_event(body), InvocationChanged)]
        decided = {one for (one,) in connection.execute("SELECT invocation_id FROM audit WHERE stage = 'call'")}
        lines = [line.encode("ascii") for _, line in audit_lines(connection, 0, 1_000_000)]
        return Told(
            {exchange: outcome or "" for exchange, outcome in exchanges},
            {exchange: _sent(pieces) for exchange, pieces in wires.items()},
            calls,
            decided,
            verify_lines(lines),
        )
    finally:
        connection.close()


def _sent(pieces: list[WireCaptured]) -> bytes:
    return b"".join(piece.data for piece in pieces if piece.leg == "client_response")


def missing(bench: Bench, journal: Told) -> dict[str, list[str]]:
    """What should be in the journal, and is not."""
    lost = [one.exchange for one in bench.finished if journal.outcomes.get(one.exchange) != "completed"]
    cut = [one.exchange for one in bench.finished if not journal.sent[one.exchange].startswith(one.body)]
    ran = {event.invocation.id: event.invocation for event in journal.calls if event.invocation.id in journal.decided}
    traced = " ".join(call.arguments for call in ran.values() if call.decided_by in ("rule", "setting", "shutdown"))
    effects = {path.stem for path in bench.workspace.glob("task-*")} | bench.peers.called
    effects |= {one.task for one in bench.finished if one.kind == "client"}
    latest = {event.invocation.id: event.invocation for event in journal.calls}
    return {
        "finished exchanges": lost,
        "bytes of finished exchanges": cut,
        "effects without a trace": sorted(task for task in effects if task not in traced),
        "effects of denied calls": sorted(task for task in effects if "-denied-" in task),
        "exchanges without an end": [exchange for exchange, outcome in journal.outcomes.items() if not outcome],
        "calls without an end": [call.id for call in latest.values() if call.is_live],
    }


@pytest.mark.timeout(3600)
def test_killed_at_any_moment_nothing_finished_is_lost_and_no_effect_is_without_a_trace(bench: Bench) -> None:
    ends = [*[False] * KILLS, *[True] * (KILLS // 2)]
    bench.chance.shuffle(ends)
    for at_an_end in ends:
        bench.kill_under_load(at_an_end=at_an_end)
    journal = told(bench)
    found = missing(bench, journal)
    effects = len(list(bench.workspace.glob("task-*"))) + len(bench.peers.called)
    print(f"\n{len(ends)} kills, {len(bench.finished)} finished exchanges, {effects} effects; missing: {found}")
    assert len(bench.finished) > len(ends) and effects, "there was no load to be killed under"
    assert found == {what: [] for what in found}
    assert isinstance(journal.chain, Verified), journal.chain


def test_the_check_itself_finds_what_is_missing(bench: Bench) -> None:
    """A client that waits for more than was sent, an effect out of nowhere, an exchange that is not there."""
    process, port = bench.start()
    enough = threading.Event()

    def seen(finished: Finished) -> None:
        bench.finished.append(finished)
        client.stop = len(bench.finished) >= 8
        if client.stop:
            enough.set()

    client = Client(port, 1, seen)
    client.start()
    assert enough.wait(SECONDS)
    client.join(SECONDS)
    bench.end(process)
    journal = told(bench)
    assert not any(missing(bench, journal).values())
    (bench.workspace / "task-file-0.txt").touch()
    first, second = bench.finished[:2]
    journal.outcomes[first.exchange] = "cancelled"
    journal.sent[second.exchange] = second.body[:-1]
    found = missing(bench, journal)
    assert found["effects without a trace"] == ["task-file-0"]
    assert found["finished exchanges"] == [first.exchange]
    assert found["bytes of finished exchanges"] == [second.exchange]
