"""The whole put together: what is configured is in force, and what goes wrong is said."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.scripted_provider import Reply, provider

from callgate.core.events import Event, FaultRaised
from callgate.station import Launch, Station


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


def launch(tmp_path: Path, config: str) -> Launch:
    path = tmp_path / "callgate.toml"
    path.write_text(config, "utf-8")
    return Launch(path, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)


def test_the_settings_that_mean_rules_are_in_force(tmp_path: Path) -> None:
    config = '[gate]\nblock_tools = ["rm_*"]\n[chat.tools]\neligibleForAutoApproval = { fetch = false }\n'

    async def scenario() -> None:
        station = Station(launch(tmp_path, config))
        try:
            rules = [(rule.verdict, rule.tool, rule.origin) for rule in station.console.rules()]
            assert rules == [("deny", "rm_*", "setting"), ("ask", "fetch", "setting")]
            assert station.gate.could_refuse("rm_all", "client", "a", owner_is_client=True)
        finally:
            await station.close()

    run(scenario())


def test_the_models_of_an_endpoint_are_asked_for_with_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UP_KEY", "the-key-of-up")
    listed = Reply(b'{"data":[{"id":"gpt-5"},{"id":"gpt-6"}]}', content_type="application/json")
    with provider(listed) as up:
        config = (
            f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nkey_env = "UP_KEY"\n'
            '[[upstreams]]\nname = "none"\nwire = "openai-chat"\nbase_url = "http://127.0.0.1:9/v1"\n'
            'key_env = "NO_KEY"\n'
        )

        async def scenario() -> None:
            station = Station(launch(tmp_path, config))
            try:
                await station.open()
                names = [entry.id for entry in await station.models.refresh()]
                assert "gpt-5" in names and "gpt-6" in names
            finally:
                await station.close()

        run(scenario())
        assert up.asked[0].headers["authorization"] == "Bearer the-key-of-up"


def test_a_journal_that_fails_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        station = Station(launch(tmp_path, ""))
        heard: list[Event] = []
        station.bus.subscribe(heard.append)
        told = asyncio.Event()
        station.bus.subscribe(lambda event: told.set() if isinstance(event, FaultRaised) else None)
        try:
            await station.open()

            def break_down(connection: object) -> None:
                raise OSError("disk full")

            for _ in range(3):
                station.database.post(break_down)
            await told.wait()
            await station.journal.settled()
            await asyncio.sleep(0)
            faults = [event for event in heard if isinstance(event, FaultRaised)]
            assert [(fault.where, "disk full" in fault.message) for fault in faults] == [("journal", True)]
        finally:
            await station.close()

    run(scenario())
    caplog.clear()


@pytest.mark.parametrize(
    ("launch", "attended"),
    [
        (Launch(), True),
        (Launch(windowed=False, on_ask="wait"), True),
        (Launch(windowed=False, on_ask="deny"), False),
        (Launch(windowed=False, on_ask="allow"), False),
    ],
)
def test_questions_are_put_only_where_somebody_can_answer(launch: Launch, attended: bool) -> None:
    assert launch.attended is attended
