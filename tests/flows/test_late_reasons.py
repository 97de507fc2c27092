"""A denial by Ctrl+Backspace in the real window: what a real client and the model behind it are told, and when."""

import asyncio
import json
from collections.abc import Callable, Iterator

import openai
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from tests.fakes.scripted_provider import Reply, ScriptedProvider, call_deltas, chat_stream, provider
from tests.flows.conftest import Program
from tests.flows.held_calls import hold
from tests.flows.test_verbs import armed, dialog_of

from callgate.core.rules.audit import Verified, verify

MakeProgram = Callable[..., Program]
CALL = chat_stream(*call_deltas(0, "call_1", "remove", '{"path":"notes.txt"}'), finish="tool_calls")
FINAL = chat_stream({"content": "I leave it."})
TOOL = {"type": "function", "function": {"name": "remove", "parameters": {"type": "object"}}}
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def upstream() -> Iterator[ScriptedProvider]:
    with provider(Reply(CALL), Reply(FINAL)) as scripted:
        yield scripted


def config(upstream: ScriptedProvider) -> str:
    return f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{upstream.address}/v1"\nmodels = ["gpt-*"]\n'


async def ask(program: Program) -> str:
    async with openai.AsyncOpenAI(base_url=f"{program.runtime.address}/v1", api_key="sk-test", max_retries=0) as client:
        stream = await client.chat.completions.create(
            model="gpt-x", messages=[{"role": "user", "content": "clean up"}], tools=[TOOL], stream=True  # type: ignore[arg-type]
        )  # fmt: skip
        return "".join([chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices])


async def deny_at_once(program: Program) -> None:
    await armed(program)
    QTest.keyClick(dialog_of(program).sheet.arguments.text, Qt.Key.Key_Backspace, CTRL)


def told(upstream: ScriptedProvider) -> list[str]:
    """The results of tools in each request that the model got."""
    return [
        "".join(message["content"] for message in request.body["messages"] if message["role"] == "tool")
        for request in upstream.asked
    ]


async def entries(program: Program) -> list[tuple[str, str]]:
    """The audit in order; it must be whole."""
    audit = tuple(reversed(await program.runtime.console.audit()))
    assert isinstance(verify(audit), Verified)
    return [(entry.stage, entry.explanation) for entry in audit]


def test_a_chip_within_five_seconds_becomes_the_reason_that_the_model_is_told(
    make_program: MakeProgram, upstream: ScriptedProvider
) -> None:
    program = make_program(config(upstream))

    async def flow() -> None:
        answer = asyncio.ensure_future(ask(program))
        await deny_at_once(program)
        line = dialog_of(program).denial
        await program.until(line.isVisible)
        await program.until(lambda: not dialog_of(program).bar.isVisible())
        assert dialog_of(program).height() < 200, "nothing but the line is left of the dialog"
        assert not program.runtime.gate.waiting()
        assert len(upstream.asked) == 1, "the model is not told yet"
        assert await entries(program) == [("call", "")], "but the denial is on record"
        chip = next(chip for chip in line.findChildren(QPushButton) if chip.text() == "Too risky")
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
        assert await answer == "I leave it."
        assert "Reason given: Too risky." in told(upstream)[1]
        assert await entries(program) == [("call", ""), ("reason", "Too risky")]
        (kept,) = await program.runtime.console.past_invocations()
        assert (kept.reason, kept.explanation) == ("Denied", "Too risky")
        await program.until(lambda: not dialog_of(program).isVisible())

    program.play(flow())


def test_without_one_the_model_is_told_after_the_countdown(
    make_program: MakeProgram, upstream: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("callgate.engine.gate.late_reasons.REASON_SECONDS", 0.3)
    program = make_program(config(upstream))

    async def flow() -> None:
        answer = asyncio.ensure_future(ask(program))
        await deny_at_once(program)
        await program.until(dialog_of(program).denial.isVisible)
        assert await answer == "I leave it."
        assert "denied by the user" in told(upstream)[1] and "Reason given" not in told(upstream)[1]
        assert await entries(program) == [("call", "")]
        await program.until(lambda: not dialog_of(program).isVisible())

    program.play(flow())


def test_a_client_that_hangs_up_meanwhile_ends_it(make_program: MakeProgram, upstream: ScriptedProvider) -> None:
    program = make_program(config(upstream))

    async def flow() -> None:
        answer = asyncio.ensure_future(ask(program))
        await deny_at_once(program)
        line = dialog_of(program).denial
        await program.until(line.isVisible)
        answer.cancel()
        await asyncio.gather(answer, return_exceptions=True)
        await program.until(lambda: not line.isVisible())
        assert len(upstream.asked) == 1
        (kept,) = await program.runtime.console.past_invocations()
        assert (kept.state, kept.reason, kept.explanation) == ("Completed", "Denied", "")

    program.play(flow())


def test_the_next_call_is_up_meanwhile_and_deciding_it_sends_the_denial(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        first, second = (hold(program, "read_file", {"path": path}) for path in ("notes.txt", "other.txt"))
        await deny_at_once(program)
        dialog = dialog_of(program)
        await program.until(dialog.denial.isVisible)
        await program.until(lambda: "other.txt" in dialog.sheet.arguments.text.toPlainText())
        place = dialog.bar.mapToGlobal(dialog.bar.rect().topLeft())
        assert not first.done()
        QTest.mouseClick(await armed(program, "denyButton"), Qt.MouseButton.LeftButton)
        assert not first.done(), "asking for the second one's reason decides nothing"
        QTest.keyClick(dialog.bar.findChild(type(dialog.denial.field), "denyReason"), Qt.Key.Key_Return)
        assert (await first).explanation == "" and (await second).reason == "Denied"
        assert place.x() == dialog.bar.mapToGlobal(dialog.bar.rect().topLeft()).x()
        assert json.loads((await second).arguments) == {"path": "other.txt"}

    program.play(flow())
