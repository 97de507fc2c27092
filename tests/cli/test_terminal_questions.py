"""Questions of tool servers in a terminal: every kind can be answered and declined."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from tests.fakes.console import FakeConsole

from callgate.cli.terminal import TerminalPrompt
from callgate.core.messages import say
from callgate.core.question import (
    Answer,
    FormQuestion,
    InputQuestion,
    LinkQuestion,
    OriginQuestion,
    Question,
    SampleQuestion,
)
from callgate.engine.tasks import Tasks

FORM = FormQuestion(
    "srv",
    "Who are you?",
    {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer", "default": 30},
            "ok": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["name"],
    },
)
LINK = LinkQuestion("srv", "Log in", "https://login.example/a?b=c")
SAMPLE = SampleQuestion("srv", (say("user", "a haiku"),))


class Writer:
    async def write(self, question: SampleQuestion, model: str) -> str:
        return f"words of {model}"


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 5))


async def answered(question: Question, *lines: str) -> tuple[Answer, str]:
    """What the server gets, and what stood in the terminal, when a person types these lines."""
    typed, written = iter(lines), list[str]()
    console = FakeConsole()
    console.questions.set_writer(Writer())
    tasks = Tasks(console.bus)

    async def read_line() -> str:
        return next(typed)

    prompt = tasks.start(TerminalPrompt(console, tasks, read_line, written.append).run(), "prompt")
    answer = await console.questions.ask(question)
    prompt.cancel()
    await asyncio.wait({prompt})
    await tasks.close()
    return answer, "\n".join(written)


@pytest.mark.parametrize(
    ("question", "lines", "expected"),
    [
        (FORM, ["d"], Answer("decline")),
        (FORM, ["a", "Ada", "", "yes", "x, y"],
         Answer("accept", {"name": "Ada", "age": 30, "ok": True, "tags": ["x", "y"]})),
        (FORM, ["a", "", "old", "", "", "a", "Ada", "7", "", ""], Answer("accept", {"name": "Ada", "age": 7})),
        (LINK, ["what?", "y"], Answer("accept")),
        (LINK, ["n"], Answer("decline")),
        (SAMPLE, ["w my own words"], Answer("accept", text="my own words")),
        (SAMPLE, ["m", "s"], Answer("accept", text="words of demo", model="demo")),
        (SAMPLE, ["m other", "d"], Answer("decline")),
        (InputQuestion("srv", "token", password=True), ["s3cret"], Answer("accept", text="s3cret")),
        (InputQuestion("srv", "zone", default="eu"), [""], Answer("accept", text="eu")),
        (InputQuestion("srv", "zone", options=("eu", "us")), ["mars"], Answer("decline")),
        (OriginQuestion("http://localhost:3000"), ["", "perhaps", "y"], Answer("accept")),
        (OriginQuestion("http://localhost:3000"), ["n"], Answer("decline")),
    ],
)  # fmt: skip
def test_what_is_typed_is_the_answer(question: Question, lines: list[str], expected: Answer) -> None:
    async def work() -> None:
        answer, _ = await answered(question, *lines)
        assert answer == expected

    run(work())


def test_the_whole_address_is_shown_and_cannot_drive_the_terminal() -> None:
    async def work() -> None:
        _, shown = await answered(LinkQuestion("srv\x1b[2J", "Log in", "https://login.example/\x1b]0;x"), "d")
        assert "https://login.example/\\x1b]0;x" in shown
        assert "\x1b" not in shown

    run(work())


def test_a_question_that_is_taken_back_leaves_the_terminal_free() -> None:
    async def work() -> None:
        console, written = FakeConsole(), list[str]()
        tasks = Tasks(console.bus)

        async def never() -> str:
            return await asyncio.get_running_loop().create_future()

        prompt = tasks.start(TerminalPrompt(console, tasks, never, written.append).run(), "prompt")
        asking = tasks.start(console.questions.ask(FORM), "question")
        while not written:
            await asyncio.sleep(0)
        asking.cancel()
        while not any("withdrawn" in line for line in written):
            await asyncio.sleep(0)
        prompt.cancel()
        await asyncio.wait({prompt})

    run(work())
