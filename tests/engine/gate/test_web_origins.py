"""A page of this machine is asked about once, the answer is kept, and a flood of origins is no flood of questions."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from callgate.core.question import Answer, OriginQuestion
from callgate.engine.bus import Bus
from callgate.engine.gate.web_origins import AGAIN_SECONDS, MOST_ASKED, MOST_OPEN, WebOrigins
from callgate.engine.sources.questions import Questions
from callgate.engine.tasks import Tasks
from callgate.store.files.json_file import JsonFile
from callgate.store.files.origins import Origins, OriginsFile

PAGE = "http://localhost:3000"


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 10))


class Stage:
    def __init__(self, folder: Path, *, attended: bool = True, configured: tuple[str, ...] = ()) -> None:
        self.now = 0.0
        bus = Bus()
        self.tasks = Tasks(bus)
        self.questions = Questions(bus, attended=attended)
        self.file = OriginsFile(JsonFile(folder / "origins.json"))
        self.origins = WebOrigins(self.file, self.questions, self.tasks, configured=configured, clock=lambda: self.now)

    async def ask(self, origin: str = PAGE) -> str:
        said = self.origins.refusal(origin)
        await asyncio.sleep(0)
        return said

    async def answer(self, action: Any) -> None:
        """Answers the oldest question, and waits until that has been taken in."""
        before = len(self.tasks)
        (asked, *_) = self.questions.waiting()
        assert self.questions.answer(asked.id, Answer(action), "dialog")
        await until(lambda: len(self.tasks) < before)


async def until(there: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not there():
            await asyncio.sleep(0)


def test_an_origin_is_asked_about_once_and_then_remembered(tmp_path: Path) -> None:
    async def work() -> None:
        stage = Stage(tmp_path)
        assert not stage.origins.allows(PAGE)
        assert "Callgate is asking its user now" in await stage.ask()
        assert "Callgate is asking its user now" in await stage.ask()
        (asked,) = stage.questions.waiting()
        assert asked.question == OriginQuestion(PAGE)
        await stage.answer("accept")
        assert stage.origins.allows(PAGE)
        assert not stage.origins.allows("http://127.0.0.1:3000") and not stage.origins.allows("https://localhost:3000")
        assert Stage(tmp_path).origins.allows(PAGE), "the next start knows it"

    run(work())


def test_a_refusal_is_remembered_too_and_not_asked_about_again(tmp_path: Path) -> None:
    async def work() -> None:
        stage = Stage(tmp_path)
        await stage.ask()
        await stage.answer("decline")
        for again in (stage, Stage(tmp_path)):
            assert "were refused by the user" in await again.ask()
            assert not again.questions.waiting() and not again.origins.allows(PAGE)
        assert stage.file.read() == Origins(frozenset(), frozenset({PAGE}))

    run(work())


def test_an_unanswered_question_is_not_put_again_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        stage = Stage(tmp_path)
        await stage.ask()
        await stage.answer("cancel")
        assert "have no permission" in await stage.ask()
        assert not stage.questions.waiting()
        stage.now = AGAIN_SECONDS
        await stage.ask()
        assert stage.questions.waiting()
        assert stage.file.read() == Origins()
        await stage.tasks.close()

    run(work())


def test_a_flood_of_origins_is_no_flood_of_questions(tmp_path: Path) -> None:
    async def work() -> None:
        stage = Stage(tmp_path)
        for port in range(1, 2000):
            await stage.ask(f"http://localhost:{port}")
        assert len(stage.questions.waiting()) == MOST_OPEN
        answered = 0
        for port in range(2000, 4000):
            if stage.questions.waiting():
                await stage.answer("decline")
                answered += 1
            await stage.ask(f"http://localhost:{port}")
        assert answered == MOST_ASKED

    run(work())


def test_without_a_person_to_ask_the_answer_says_what_to_configure(tmp_path: Path) -> None:
    async def work() -> None:
        stage = Stage(tmp_path, attended=False)
        assert f'allowed_origins = ["{PAGE}"] under [server]' in await stage.ask()
        assert not stage.questions.waiting() and not len(stage.tasks)

    run(work())


def test_pages_of_other_machines_are_never_asked_about(tmp_path: Path) -> None:
    async def work() -> None:
        stage = Stage(tmp_path, configured=("https://console.example",))
        assert stage.origins.allows("https://console.example")
        assert "are not accepted" in await stage.ask("https://evil.example")
        assert not stage.questions.waiting()

    run(work())


def test_a_question_that_was_withdrawn_is_no_answer(tmp_path: Path) -> None:
    async def work() -> None:
        stage = Stage(tmp_path)
        await stage.ask()
        stage.questions.close()
        await until(lambda: not len(stage.tasks))
        assert stage.file.read() == Origins() and not stage.origins.allows(PAGE)

    run(work())


def test_at_shutdown_a_declined_question_is_not_remembered(tmp_path: Path) -> None:
    async def work() -> None:
        stage = Stage(tmp_path)
        stage.questions.close()
        await stage.ask()
        await until(lambda: not len(stage.tasks))
        assert stage.file.read() == Origins()

    run(work())
