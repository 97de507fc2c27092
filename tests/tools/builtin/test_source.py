import asyncio
import threading
from collections.abc import Mapping

import pytest

from callgate.core.messages import Json, Text
from callgate.core.tool import Outcome
from callgate.tools.builtin.definition import define
from callgate.tools.builtin.source import BuiltinSource, BuiltinTool, ToolProblem
from callgate.tools.confinement import OutsideWorkspace
from callgate.tools.source import CallContext

CONTEXT = CallContext("call_1", "conv_1", lambda text, done, total: None)


def tool_of(run: object) -> BuiltinTool:
    return define(run, "t", "T", "", {}, tags=())  # type: ignore[arg-type]


def outcome_of(run: object) -> Outcome:
    entry = tool_of(run)
    return asyncio.run(BuiltinSource([entry]).call(entry.tool, {}, CONTEXT))


def test_a_plain_tool_runs_in_a_thread_and_an_async_one_on_the_loop() -> None:
    where: list[str] = []

    def plain(arguments: Mapping[str, Json], stop: threading.Event) -> str:
        where.append(threading.current_thread().name)
        return "plain"

    async def waiting(arguments: Mapping[str, Json], context: CallContext) -> str:
        where.append(threading.current_thread().name)
        return f"async for {context.call_id}"

    assert outcome_of(plain) == Outcome((Text("plain"),))
    assert outcome_of(waiting) == Outcome((Text("async for call_1"),))
    assert where[0] != "MainThread" and where[1] == "MainThread"


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (ToolProblem("not so"), "not so"),
        (OutsideWorkspace("out"), "out"),
        (OSError(28, "No space left on device", "x.txt"), "No space left on device: x.txt"),
        (OSError("strange"), "strange"),
    ],
)
def test_what_a_tool_cannot_do_is_told_to_the_model(problem: Exception, says: str) -> None:
    def plain(arguments: Mapping[str, Json], stop: threading.Event) -> str:
        raise problem

    async def waiting(arguments: Mapping[str, Json], context: CallContext) -> str:
        raise problem

    for run in (plain, waiting):
        assert outcome_of(run) == Outcome((Text(says),), is_error=True)


def test_a_cancelled_call_asks_its_thread_to_stop() -> None:
    begun, stopped = threading.Event(), threading.Event()

    def plain(arguments: Mapping[str, Json], stop: threading.Event) -> str:
        begun.set()
        if stop.wait(5):
            stopped.set()
        return ""

    async def scenario() -> None:
        entry = tool_of(plain)
        call = asyncio.ensure_future(BuiltinSource([entry]).call(entry.tool, {}, CONTEXT))
        await asyncio.to_thread(begun.wait, 5)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(scenario())
    assert stopped.wait(5)


def test_closing_the_source_closes_its_parts() -> None:
    closed: list[str] = []

    class Part:
        async def close(self) -> None:
            closed.append("part")

    asyncio.run(BuiltinSource([], [Part()]).close())
    assert closed == ["part"]
