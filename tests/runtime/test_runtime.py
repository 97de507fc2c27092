"""The whole put together: what is configured is in force, and what goes wrong is said."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.scripted_provider import Reply, provider

from callgate.core.events import Event, FaultRaised, InvocationChanged
from callgate.core.messages import Text
from callgate.engine.exchange.direct_call import Caller
from callgate.runtime.runtime import Launch, Runtime
from callgate.tools.process import bubblewrap, landlock


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


def launch(tmp_path: Path, config: str) -> Launch:
    path = tmp_path / "callgate.toml"
    path.write_text(config, "utf-8")
    return Launch(path, 0, tmp_path, tmp_path / "data", demo_pace_ms=0, trust_config=True)


def test_the_settings_that_mean_rules_are_in_force(tmp_path: Path) -> None:
    config = '[gate]\nblock_tools = ["rm_*"]\n[chat.tools]\neligibleForAutoApproval = { fetch = false }\n'

    async def scenario() -> None:
        runtime = Runtime(launch(tmp_path, config))
        try:
            rules = [(rule.verdict, rule.tool, rule.origin) for rule in runtime.console.rules()]
            assert rules == [("deny", "rm_*", "setting"), ("ask", "fetch", "setting")]
            assert runtime.gate.could_refuse("rm_all", "client", "a", owner_is_client=True)
        finally:
            await runtime.close()

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
            runtime = Runtime(launch(tmp_path, config))
            try:
                await runtime.open()
                names = [entry.id for entry in await runtime.models.refresh()]
                assert "gpt-5" in names and "gpt-6" in names
            finally:
                await runtime.close()

        run(scenario())
        assert up.asked[0].headers["authorization"] == "Bearer the-key-of-up"


def test_a_journal_that_fails_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        runtime = Runtime(launch(tmp_path, ""))
        heard: list[Event] = []
        runtime.bus.subscribe(heard.append)
        told = asyncio.Event()
        runtime.bus.subscribe(lambda event: told.set() if isinstance(event, FaultRaised) else None)
        try:
            await runtime.open()

            def break_down(connection: object) -> None:
                raise OSError("disk full")

            for _ in range(3):
                runtime.database.post(break_down)
            await told.wait()
            await runtime.journal.settled()
            await asyncio.sleep(0)
            faults = [event for event in heard if isinstance(event, FaultRaised)]
            assert [(fault.where, "disk full" in fault.message) for fault in faults] == [("journal", True)]
        finally:
            await runtime.close()

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


class Ran:
    """One command, run by a whole station without asking: what comes back, the states, the audit, the banner."""

    def __init__(self, tmp_path: Path, sandbox: str, command: str) -> None:
        self.text = ""
        self.heard: list[Event] = []
        (tmp_path / "work").mkdir()
        (tmp_path / "callgate.toml").write_text(f'[tools]\nsandbox = "{sandbox}"\n', "utf-8")
        workspace, data = tmp_path / "work", tmp_path / "data"
        self._launch = Launch(tmp_path / "callgate.toml", 0, workspace, data, on_ask="allow", demo_pace_ms=0)
        asyncio.run(asyncio.wait_for(self._run(command), 20))

    async def _run(self, command: str) -> None:
        runtime = Runtime(self._launch)
        runtime.bus.subscribe(self.heard.append)
        try:
            await runtime.open()
            quiet = Caller("agent", "session")
            outcome = await runtime.direct.call("run_command", {"command": command}, quiet, lambda *_: None)
            self.text = "".join(part.text for part in outcome.parts if isinstance(part, Text))
            await runtime.journal.settled()
            (self.entry,) = await runtime.journal.audit(10)
        finally:
            await runtime.close()

    @property
    def walls(self) -> set[str]:
        return {event.invocation.wall for event in self.heard if isinstance(event, InvocationChanged)}

    @property
    def faults(self) -> list[str]:
        return [event.message for event in self.heard if isinstance(event, FaultRaised)]


def test_a_command_says_which_wall_it_runs_behind_and_the_audit_keeps_it(tmp_path: Path) -> None:
    ran = Ran(tmp_path, "auto", "echo x > made; printf 'mkdir .vscode; touch .vscode/tasks.json' > run.sh; sh run.sh")
    (wall,) = ran.walls
    assert wall.startswith(("Sandbox: ", "No sandbox on this ")) and ran.entry.wall == wall
    assert (tmp_path / "work" / "made").read_text("utf-8") == "x\n"
    assert "[while it ran, .vscode/tasks.json was created: it configures VS Code]" in ran.text
    assert any(".vscode/tasks.json was created" in fault for fault in ran.faults), "the banner says it too"


def test_own_files_are_hidden_from_commands(tmp_path: Path) -> None:
    ran = Ran(tmp_path, "auto", "cat ../data/* ../callgate.toml")
    (wall,) = ran.walls
    if not wall.startswith("Sandbox: "):
        pytest.skip(wall)
    assert "SQLite" not in ran.text and "sandbox =" not in ran.text


def test_where_a_wall_is_required_and_missing_nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "find", lambda *_, **__: (None, bubblewrap.MISSING))
    monkeypatch.setattr(landlock, "find", lambda *_, **__: None)
    ran = Ran(tmp_path, "required", "echo x > made")
    assert "Nothing was run" in ran.text and "bubblewrap" in ran.text and not (tmp_path / "work" / "made").exists()


def test_a_sandbox_that_is_switched_off_is_said_to_be(tmp_path: Path) -> None:
    ran = Ran(tmp_path, "off", "echo x > ../outside")
    assert ran.walls == {"No sandbox: it is switched off"} and (tmp_path / "outside").exists()
