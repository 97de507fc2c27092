"""Questions that sources of tools put to the person: each is open until it is answered once, and never for ever.

It does not know who asks, nor where the person sits: a window and a terminal answer through the same door.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Protocol

from callgate.core.errors import UserFault
from callgate.core.events import QuestionAnswered, QuestionAsked
from callgate.core.ids import new_id
from callgate.core.question import Answer, Ending, OpenQuestion, Question, SampleQuestion, recordable
from callgate.engine.bus import Bus

log = logging.getLogger(__name__)

ANSWER_SECONDS = 300.0
"""As long as a call waits for a decision, unless the configuration says otherwise."""
MOST_OF_ONE_SOURCE = 20
"""Open at the same time: a server that asks more is broken, or wants the person to click without reading."""
_NOBODY = (
    "%s asked something (%s) and was told no: nobody is here to answer. `callgate serve --on-ask prompt` asks in the "
    "terminal, the window in a dialog."
)


class QuestionService(Protocol):
    """What a front end for people may do with questions."""

    def waiting(self) -> tuple[OpenQuestion, ...]:
        """All that are open, the oldest first; `QuestionAsked` and `QuestionAnswered` say when to ask again."""
        ...

    def answer(self, question_id: str, answer: Answer, initiator: str) -> bool:
        """False: too late, it is over."""
        ...

    async def write(self, question_id: str, model: str) -> str:
        """The words of a model for an open sample question, for the person to read; raises `UserFault`."""
        ...


class Writer(Protocol):
    async def write(self, question: SampleQuestion, model: str) -> str: ...


class Questions:
    """Implements `QuestionService`; `ask` is what sources are given."""

    def __init__(
        self,
        bus: Bus,
        seconds: float = ANSWER_SECONDS,
        clock: Callable[[], float] = time.time,
        *,
        attended: bool = True,
    ) -> None:
        """`attended`: whether anybody can answer; else every question is declined at once, and that is said."""
        self.attended = attended
        self._bus = bus
        self._seconds = seconds
        self._clock = clock
        self._writer: Writer | None = None
        self._open: dict[str, OpenQuestion] = {}
        self._answers: dict[str, asyncio.Future[tuple[Answer, str]]] = {}
        self._closed = False

    @property
    def answerable(self) -> bool:
        """Whether a person can answer now."""
        return self.attended and not self._closed

    def set_writer(self, writer: Writer) -> None:
        """Who has a model write; it comes last, since it needs an engine that runs."""
        self._writer = writer

    # ---- for sources ------------------------------------------------------------------------------------------------

    async def ask(self, question: Question) -> Answer:
        """Waits for the answer. Cancelling this takes the question back."""
        now = self._clock()
        asked = OpenQuestion(new_id("ask"), question, now, now + self._seconds)
        answered: asyncio.Future[tuple[Answer, str]] = asyncio.get_running_loop().create_future()
        self._open[asked.id], self._answers[asked.id] = asked, answered
        self._bus.publish(QuestionAsked(asked, question.conversation_id, now))
        if sum(1 for other in self._open.values() if other.question.source == question.source) > MOST_OF_ONE_SOURCE:
            return self._end(asked, Answer("decline"), "flood")
        if self._closed or not self.attended:
            if not self._closed:
                log.warning(_NOBODY, question.source, question.kind)
            return self._end(asked, Answer("decline"), "nobody")
        try:
            async with asyncio.timeout(self._seconds):
                answer, initiator = await answered
        except TimeoutError:
            return self._end(asked, Answer("cancel"), "overdue")
        except asyncio.CancelledError:
            self._end(asked, Answer("cancel"), "withdrawn")
            raise
        return self._end(asked, answer, "answered" if initiator else "withdrawn", initiator or "engine")

    def close(self) -> None:
        """Nobody answers any more: what is open is put away, and what comes is declined."""
        self._closed = True
        for answered in tuple(self._answers.values()):
            if not answered.done():
                answered.set_result((Answer("cancel"), ""))

    def _end(self, asked: OpenQuestion, answer: Answer, ending: Ending, initiator: str = "engine") -> Answer:
        del self._open[asked.id], self._answers[asked.id]
        kept = recordable(asked.question, answer)
        self._bus.publish(
            QuestionAnswered(asked.id, asked.question.conversation_id, kept, ending, self._clock(), initiator)
        )
        return answer

    # ---- for people -------------------------------------------------------------------------------------------------

    def waiting(self) -> tuple[OpenQuestion, ...]:
        return tuple(asked for asked in self._open.values() if not self._answers[asked.id].done())

    def answer(self, question_id: str, answer: Answer, initiator: str) -> bool:
        answered = self._answers.get(question_id)
        if answered is None or answered.done():
            return False
        answered.set_result((answer, initiator))
        return True

    async def write(self, question_id: str, model: str) -> str:
        asked = self._open.get(question_id)
        if asked is None or not isinstance(asked.question, SampleQuestion):
            raise UserFault("This question is over; nothing was written.")
        if self._writer is None:
            raise UserFault("There is no model here that could write.")
        return await self._writer.write(asked.question, model)
