"""The presenter on a fake console, and a task that asks."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop

from callgate.core.question import Answer, Question
from callgate.ui.bridge import Bridge
from callgate.ui.questions.presenter import QuestionPresenter
from callgate.ui.theme.theme import Theme


class Stage:
    def __init__(self, console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop) -> None:
        self.console, self.bridge, self.loop = console, bridge, loop
        self.opened: list[str] = []
        self.browser = True
        self.presenter = QuestionPresenter(console, bridge, theme, open_url=self._open, arm_ms=0)
        self.asking: list[asyncio.Task[Answer]] = []

    def _open(self, url: str) -> bool:
        self.opened.append(url)
        return self.browser

    def ask(self, question: Question) -> asyncio.Task[Answer]:
        """Puts it, and lets the window hear of it."""
        count = len(self.console.questions.waiting())
        task = self.loop.run(self._begin(question))
        self.asking.append(task)
        self.loop.until(lambda: len(self.console.questions.waiting()) > count)
        self.bridge.flush()
        return task

    async def _begin(self, question: Question) -> asyncio.Task[Answer]:
        return self.bridge.start(self.console.questions.ask(question), self.presenter, "a question")

    def answer_of(self, task: asyncio.Task[Answer]) -> Answer:
        async def wait() -> Answer:
            return await task

        answer = self.loop.run(wait())
        self.bridge.flush()
        return answer

    def find(self, kind: type, name: str) -> Any:
        found = self.presenter.dialog.findChild(kind, name)
        assert found is not None, name
        return found

    def click(self, name: str) -> None:
        button = self.find(QPushButton, name)
        assert button.isEnabled(), name

        async def press() -> None:
            button.click()

        self.loop.run(press())


@pytest.fixture
def stage(console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop) -> Iterator[Stage]:
    made = Stage(console, bridge, theme, loop)
    yield made
    console.questions.close()
    loop.until(lambda: all(task.done() for task in made.asking))
    bridge.flush()
    made.presenter.dialog.hide()
    made.presenter.dialog.deleteLater()
    made.presenter.notice.deleteLater()
    made.presenter.deleteLater()
    loop.settle()
