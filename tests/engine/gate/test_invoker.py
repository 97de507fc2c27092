import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

import pytest

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import Preview
from callgate.core.messages import Json, Text, ToolResult
from callgate.core.tool import Outcome, Tool
from callgate.engine.bus import Bus
from callgate.engine.gate import invoker
from callgate.engine.gate.invoker import Invoker
from callgate.tools.catalog import Catalog
from callgate.tools.source import CallContext

Behaviour = Callable[[], Awaitable[Outcome]]


class Misbehaving:
    """A source with one tool that does what the test says."""

    name = "src"

    def __init__(self, behave: Behaviour, look: Callable[[], Preview | None] = lambda: None) -> None:
        self._behave = behave
        self._look = look

    def tools(self) -> tuple[Tool, ...]:
        return (Tool("f", "src"),)

    def on_change(self, listener: Callable[[], None]) -> None: ...

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        return await self._behave()

    def preview(self, tool: Tool, arguments: Mapping[str, Json]) -> Preview | None:
        return self._look()


CALL = Invocation("i", "e", "c", 1, 0, "call_1", "f", "gate", "src", "a", "m", "Executing", arguments="{}")


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


def made(behave: Behaviour, look: Callable[[], Preview | None] = lambda: None, seconds: float = 5) -> Invoker:
    return Invoker(Catalog([Misbehaving(behave, look)]), Bus(), seconds)


async def never() -> Outcome:
    await asyncio.Event().wait()
    return Outcome(())


def result_of(behave: Behaviour, seconds: float = 5) -> ToolResult:
    results: list[ToolResult] = []

    async def scenario() -> None:
        results.append(await made(behave, seconds=seconds).run(CALL))

    run(scenario())
    return results[0]


def test_a_tool_that_takes_too_long_is_stopped_and_told_so() -> None:
    result = result_of(never, 0.01)
    assert result.is_error and "did not finish within 0.01 seconds" in result.text


def test_a_time_out_inside_a_tool_is_not_taken_for_our_own(caplog: pytest.LogCaptureFixture) -> None:
    async def times_out() -> Outcome:
        raise TimeoutError("the printer is away")

    result = result_of(times_out)
    assert result.is_error and "the printer is away" in result.text and "did not finish" not in result.text
    caplog.clear()


def test_a_tool_that_cancels_itself_has_failed_and_nothing_else_is_cancelled() -> None:
    async def gives_up() -> Outcome:
        raise asyncio.CancelledError

    result = result_of(gives_up)
    assert result.is_error and "broke off" in result.text


def test_a_cancelled_run_is_cancelled() -> None:
    async def scenario() -> None:
        running = asyncio.ensure_future(made(never).run(CALL))
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    run(scenario())


def test_half_a_character_in_a_result_is_mended() -> None:
    async def half() -> Outcome:
        return Outcome((Text("file \udcff.txt"),))

    assert result_of(half).text.encode() == "file �.txt".encode()


def test_a_preview_that_fails_or_hangs_leaves_the_call_to_be_asked_about_without_one(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    release = threading.Event()

    def broken() -> Preview | None:
        raise ValueError("embedded null byte")

    def hanging() -> Preview | None:
        release.wait(5)
        return None

    async def scenario() -> None:
        assert await made(never, broken).preview(CALL) is None
        monkeypatch.setattr(invoker, "PREVIEW_SECONDS", 0.01)
        assert await made(never, hanging).preview(CALL) is None
        release.set()

    run(scenario())
    assert "embedded null byte" in caplog.text
    caplog.clear()
