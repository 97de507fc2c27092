"""Whose question it is, how long it stays, and what stands still meanwhile."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import mcp_types as mcp
from mcp.client import ClientRequestContext

from callgate.core.question import Answer, FormQuestion, Question
from callgate.engine.bus import Bus
from callgate.engine.tasks import Tasks
from callgate.tools.mcp_source.questions import Questions
from callgate.tools.source import CallContext

FORM = mcp.ElicitRequestFormParams(message="Who?", requested_schema={"type": "object", "properties": {}})
NOWHERE = cast(ClientRequestContext, None)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 5))


class Call:
    """One call in flight: whether its time stands still, and what it was told."""

    def __init__(self, number: int) -> None:
        self.held = 0
        self.told: list[str] = []
        self.context = CallContext(
            f"call_{number}", f"conv_{number}", lambda text, done, total: self.told.append(text), hold=self.hold
        )

    @contextmanager
    def hold(self) -> Iterator[None]:
        self.held += 1
        try:
            yield
        finally:
            self.held -= 1


class Person:
    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    async def __call__(self, question: Question) -> Answer:
        self.asked.append(question)
        return await self.answer


class Stage:
    def __init__(self) -> None:
        self.person = Person()
        self.questions = Questions("srv", self.person, Path.cwd())
        self.tasks = Tasks(Bus())
        self.first, self.second = Call(1), Call(2)

    async def elicit(self) -> "asyncio.Task[mcp.ElicitResult]":
        asking = self.tasks.start(self.questions.on_elicit(NOWHERE, FORM), "server")
        while not self.person.asked:
            await asyncio.sleep(0)
        return asking


def test_with_one_call_in_flight_the_question_is_its_and_its_time_stands_still() -> None:
    async def work() -> None:
        stage = Stage()
        stage.questions.began(stage.first.context)
        asking = await stage.elicit()
        (question,) = stage.person.asked
        assert isinstance(question, FormQuestion)
        assert (question.call_id, question.conversation_id) == ("call_1", "conv_1")
        assert stage.first.held == 1
        assert "asks something" in stage.first.told[0]
        stage.person.answer.set_result(Answer("accept", {"a": "b"}))
        assert (await asking).content == {"a": "b"}
        assert stage.first.held == 0

    run(work())


def test_the_end_of_the_call_puts_its_question_away() -> None:
    async def work() -> None:
        stage = Stage()
        stage.questions.began(stage.first.context)
        asking = await stage.elicit()
        stage.questions.ended(stage.first.context)
        assert (await asking).action == "cancel"
        assert stage.person.answer.cancelled()

    run(work())


def test_with_two_calls_in_flight_it_stays_until_both_are_over() -> None:
    async def work() -> None:
        stage = Stage()
        stage.questions.began(stage.first.context)
        stage.questions.began(stage.second.context)
        asking = await stage.elicit()
        assert (stage.person.asked[0].call_id, stage.first.held, stage.second.held) == ("", 1, 1)
        stage.questions.ended(stage.first.context)
        await asyncio.sleep(0)
        assert not asking.done()
        stage.questions.ended(stage.second.context)
        assert (await asking).action == "cancel"

    run(work())


def test_a_question_outside_of_any_call_outlives_calls() -> None:
    async def work() -> None:
        stage = Stage()
        asking = await stage.elicit()
        stage.questions.began(stage.first.context)
        stage.questions.ended(stage.first.context)
        await asyncio.sleep(0)
        assert not asking.done()
        stage.person.answer.set_result(Answer("decline"))
        assert (await asking).action == "decline"

    run(work())


def test_where_nobody_listens_the_answer_is_no() -> None:
    async def work() -> None:
        questions = Questions("srv", None, Path.cwd())
        assert (await questions.on_elicit(NOWHERE, FORM)).action == "decline"
        sample = mcp.CreateMessageRequestParams(messages=[], max_tokens=1)
        assert isinstance(await questions.on_sample(NOWHERE, sample), mcp.ErrorData)

    run(work())
