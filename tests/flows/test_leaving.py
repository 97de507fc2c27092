"""The person quits while agents are held: each is told so in its own wire, and it is recorded as that."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import openai
import orjson
import pytest
from mcp import Client
from PySide6.QtWidgets import QPushButton
from tests.fakes.asking import asking
from tests.fakes.held_client import HeldClient
from tests.fakes.running import RunningStation, running
from tests.fakes.translating import WIRES
from tests.flows.conftest import Program
from tests.flows.held_calls import hold

from callgate.core.events import ExchangeEnded
from callgate.core.messages import Json
from callgate.core.rules.audit import AuditEntry
from callgate.runtime.runtime import Launch

WORDS = "The person quit Callgate"
REFUSED = {
    "openai-chat": "permission_error",
    "openai-responses": "invalid_prompt",
    "anthropic": "permission_error",
    "gemini": "PERMISSION_DENIED",
}
"""How each wire says that something was refused; after a server's error clients would ask again."""
MakeProgram = Callable[..., Program]


def launch(tmp_path: Path) -> Launch:
    (tmp_path / "notes.txt").write_text("buy milk\n", "utf-8")
    return Launch(None, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)


def audit(runtime: RunningStation) -> list[AuditEntry]:
    return list(runtime.call(runtime.runtime.console.audit()))


def _errors(said: Json) -> list[str]:
    """The kinds of error that an answer speaks of, however deep."""
    found: list[str] = []
    if isinstance(said, dict):
        for name, value in said.items():
            if name in ("type", "status", "code") and isinstance(value, str):
                found.append(value)
            found += _errors(value)
    elif isinstance(said, list):
        for one in said:
            found += _errors(one)
    return found


def _pieces(body: bytes) -> list[Json]:
    """Every JSON value of an answer, streamed or not; one that is cut off fails here."""
    text = body.decode().strip()
    if text.startswith(("{", "[")):
        return [orjson.loads(text)]
    lines = (line.removeprefix("data:").strip() for line in text.splitlines() if line.startswith("data:"))
    return [orjson.loads(line) for line in lines if line != "[DONE]"]


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "plain"])
@pytest.mark.parametrize("wire", WIRES)
def test_a_held_client_gets_a_refusal_in_its_own_wire(tmp_path: Path, wire: str, stream: bool) -> None:
    with running(launch(tmp_path)) as runtime:
        client = HeldClient(runtime.address, asking(wire, stream=stream))
        runtime.wait_for_state("WaitingForConfirmation")
        runtime.do(runtime.runtime.leave)
        body = client.whole()
        assert WORDS.encode() in body
        assert REFUSED[wire] in [kind for piece in _pieces(body) for kind in _errors(piece)]
        cancelled = runtime.wait_for_state("Cancelled")
        assert (cancelled.decided_by, cancelled.explanation) == ("leaving", WORDS)
        [entry] = audit(runtime)
        assert (entry.decided_by, entry.explanation, entry.state) == ("leaving", WORDS, "Cancelled")


def test_the_official_sdk_does_not_try_again(tmp_path: Path) -> None:
    with running(launch(tmp_path)) as runtime:

        def ask() -> str:
            with openai.OpenAI(base_url=f"{runtime.address}/v1", api_key="any", max_retries=5, timeout=15) as sdk:
                try:
                    body = asking("openai-chat", stream=True).body
                    return str(list(sdk.chat.completions.create(**body)))
                except openai.APIError as refused:
                    return refused.message

        async def both() -> str:
            asked = asyncio.ensure_future(asyncio.to_thread(ask))
            await asyncio.to_thread(runtime.wait_for_state, "WaitingForConfirmation")
            await asyncio.to_thread(runtime.do, runtime.runtime.leave)
            return await asked

        assert asyncio.run(both()) == WORDS
        assert len([e for e in runtime.events if isinstance(e, ExchangeEnded)]) == 1


def test_an_mcp_client_gets_a_result_that_says_so(tmp_path: Path) -> None:
    with running(launch(tmp_path)) as runtime:

        async def client() -> str:
            async with Client(f"{runtime.address}/mcp", mode="legacy") as session:
                calling = asyncio.ensure_future(session.call_tool("read_file", {"path": "notes.txt"}))
                await asyncio.to_thread(runtime.wait_for_state, "WaitingForConfirmation")
                await asyncio.to_thread(runtime.do, lambda: runtime.runtime.direct.stop_all("leaving", WORDS))
                result = await calling
                assert result.is_error
                return result.content[0].text

        assert WORDS in asyncio.run(asyncio.wait_for(client(), 15))
        assert [entry.decided_by for entry in audit(runtime)] == ["leaving"]


def test_a_call_that_runs_is_ended_by_leaving_too(tmp_path: Path) -> None:
    config = tmp_path / "callgate.toml"
    config.write_text(
        '[[sources]]\nname = "slow"\nkind = "command"\n'
        '[[sources.tools]]\nname = "nap"\nargv = ["sleep", "60"]\n\n[[rules]]\nverdict = "allow"\n'
    )
    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
        [slow] = [tool.name for tool in runtime.do(runtime.runtime.console.tools) if tool.source == "slow"]

        async def client() -> str:
            async with Client(f"{runtime.address}/mcp", mode="legacy") as session:
                calling = asyncio.ensure_future(session.call_tool(slow, {}))
                await asyncio.to_thread(runtime.wait_for_state, "Executing")
                await asyncio.to_thread(runtime.do, lambda: runtime.runtime.direct.stop_all("leaving", WORDS))
                return (await calling).content[0].text

        assert WORDS in asyncio.run(asyncio.wait_for(client(), 15))
        assert runtime.wait_for_state("Cancelled").decided_by == "leaving"


@pytest.mark.qt_log_ignore("does not support")  # said by Qt's offscreen platform of raising
def test_twelve_calls_that_wait_are_asked_about_and_then_ended(make_program: MakeProgram) -> None:
    program = make_program()
    window_app, runtime = program.window_app, program.runtime
    program.tray.available = False
    window_app.leaving.left.connect(runtime.leave)

    async def flow() -> None:
        held = [hold(program, "read_file", {"path": "notes.txt"}) for _ in range(12)]
        await program.until(lambda: len(runtime.console.waiting()) == 12)
        asked = asyncio.ensure_future(asyncio.to_thread(_post, runtime.address))
        await program.until(lambda: len(runtime.console.waiting()) == 13)
        window_app.window.close()
        question = window_app.leaving.question
        await program.until(question.isVisible)
        assert window_app.window.isVisible(), "closing it would have ended the program"
        assert len(runtime.console.waiting()) == 13
        question.findChild(QPushButton, "cancelLeaving").click()
        assert not question.isVisible()
        window_app.window.quit_requested.emit()
        await program.until(question.isVisible)
        question.findChild(QPushButton, "denyAndQuit").click()
        assert WORDS in await asked
        assert len(runtime.console.waiting()) == 12, "calls of no exchange end with the tasks that hold them"
        for one in held:
            one.cancel()

    program.play(flow())


def _post(address: str) -> str:
    asked = asking("openai-chat", stream=False)
    return httpx.post(address + asked.path, json=asked.body, timeout=15).text


def test_a_signal_ends_the_program_at_once_and_is_no_person_leaving(tmp_path: Path) -> None:
    """With the real program: the window closes because of the signal, which must not look as if it had been closed."""
    argv = [str(Path(sys.executable).with_name("callgate")), "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen([*argv, "--workspace", str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            client = HeldClient(address, asking("openai-chat", stream=True))
            client.until(2)  # it is kept alive: the call waits
            process.send_signal(signal.SIGTERM)
            body = client.whole()
            assert process.wait(20) == 0
        finally:
            process.kill()
    assert b"Callgate is closing" in body and WORDS.encode() not in body
