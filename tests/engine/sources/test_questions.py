"""A question is open until it is answered once, and never for ever."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import pytest

from callgate.core.errors import UserFault
from callgate.core.events import Event, QuestionAnswered, QuestionAsked
from callgate.core.messages import say
from callgate.core.question import Answer, FormQuestion, InputQuestion, SampleQuestion
from callgate.engine.bus import Bus
from callgate.engine.sources.questions import MOST_OF_ONE_SOURCE, Questions
from callgate.engine.tasks import Tasks

FORM = FormQuestion("srv", "Who?", {"type": "object"}, "call_1", "conv_1")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 5))


class Stage:
    def __init__(self, **more: Any) -> None:
        self.bus = Bus()
        self.events: list[Event] = []
        self.bus.subscribe(self.events.append)
        self.questions = Questions(self.bus, clock=lambda: 1000.0, **more)
        self.tasks = Tasks(self.bus)

    async def ask(self, question: Any = FORM) -> asyncio.Task[Answer]:
        task = self.tasks.start(self.questions.ask(question), "question")
        await asyncio.sleep(0)
        return task

    @property
    def ending(self) -> QuestionAnswered:
        (ended,) = [event for event in self.events if isinstance(event, QuestionAnswered)]
        return ended


def test_the_first_answer_counts_and_everybody_hears_of_it() -> None:
    async def work() -> None:
        stage = Stage()
        task = await stage.ask()
        (asked,) = stage.questions.waiting()
        assert stage.events == [QuestionAsked(asked, "conv_1", 1000.0)]
        assert stage.questions.answer(asked.id, Answer("accept", {"name": "Ada"}), "dialog")
        assert not stage.questions.answer(asked.id, Answer("decline"), "terminal")
        assert stage.questions.waiting() == ()
        assert await task == Answer("accept", {"name": "Ada"})
        assert (stage.ending.ending, stage.ending.initiator, stage.ending.conversation_id) == (
            "answered",
            "dialog",
            "conv_1",
        )

    run(work())


def test_a_question_that_nobody_answers_is_put_away() -> None:
    async def work() -> None:
        stage = Stage(seconds=0.01)
        assert await stage.questions.ask(FORM) == Answer("cancel")
        assert stage.ending.ending == "overdue"
        assert stage.questions.waiting() == ()

    run(work())


def test_whoever_asks_can_take_the_question_back() -> None:
    async def work() -> None:
        stage = Stage()
        task = await stage.ask()
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        assert stage.ending.ending == "withdrawn"
        assert stage.questions.waiting() == ()

    run(work())


def test_at_the_end_of_the_program_what_is_open_is_put_away_and_what_comes_declined() -> None:
    async def work() -> None:
        stage = Stage()
        task = await stage.ask()
        stage.questions.close()
        assert await task == Answer("cancel")
        assert stage.ending.ending == "withdrawn"
        assert (await stage.questions.ask(FORM)).action == "decline"

    run(work())


def test_with_nobody_there_the_answer_is_no_and_that_is_said(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        stage = Stage(attended=False)
        assert await stage.questions.ask(FORM) == Answer("decline")
        assert stage.ending.ending == "nobody"

    with caplog.at_level(logging.WARNING):
        run(work())
    assert "nobody is here to answer" in caplog.text
    caplog.clear()


def test_what_is_typed_into_an_input_is_never_recorded() -> None:
    async def work() -> None:
        stage = Stage()
        task = await stage.ask(InputQuestion("srv", "token", password=True))
        (asked,) = stage.questions.waiting()
        stage.questions.answer(asked.id, Answer("accept", text="s3cret"), "dialog")
        assert (await task).text == "s3cret"
        assert "s3cret" not in repr(stage.events)

    run(work())


def test_a_model_writes_only_for_a_question_that_is_open() -> None:
    class Writer:
        async def write(self, question: SampleQuestion, model: str) -> str:
            return f"{model}: {question.messages[0].text}"

    async def work() -> None:
        stage = Stage()
        with pytest.raises(UserFault, match="over"):
            await stage.questions.write("ask_unknown", "demo")
        task = await stage.ask(SampleQuestion("srv", (say("user", "a haiku"),)))
        (asked,) = stage.questions.waiting()
        with pytest.raises(UserFault, match="no model"):
            await stage.questions.write(asked.id, "demo")
        stage.questions.set_writer(Writer())
        assert await stage.questions.write(asked.id, "demo") == "demo: a haiku"
        task.cancel()
        await asyncio.wait({task})

    run(work())


def test_a_source_that_asks_without_end_is_told_no_and_others_are_heard() -> None:
    async def work() -> None:
        stage = Stage()
        asked = [await stage.ask() for _ in range(MOST_OF_ONE_SOURCE)]
        assert (await stage.questions.ask(FORM)).action == "decline"
        assert stage.ending.ending == "flood"
        other = await stage.ask(FormQuestion("other", "Who?", {"type": "object"}))
        assert len(stage.questions.waiting()) == MOST_OF_ONE_SOURCE + 1
        stage.questions.close()
        await asyncio.wait({*asked, other})

    run(work())
