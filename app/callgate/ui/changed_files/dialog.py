"""The review of files that were changed outside Callgate. Never modal; closing it accepts nothing.

What is accepted is what is shown: a file that changes meanwhile shows its new differences, and the buttons wait again.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from callgate.core.config.widening import Widening
from callgate.core.errors import UserFault
from callgate.engine.console.change_service import ChangeService
from callgate.ui.bridge import Bridge
from callgate.ui.changed_files.file_section import FileSection
from callgate.ui.decision.click_guard import ARM_MS, ClickGuard, GuardedButton
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState

_SIZE: Final = (660, 520)
_HINT: Final = (
    "Another program, or you with an editor, changed these files. What they restrict counts already. "
    "What they would allow counts once you accept it."
)


class ReviewDialog(QDialog):
    def __init__(
        self,
        service: ChangeService,
        bridge: Bridge,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        arm_ms: int = ARM_MS,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("reviewDialog")
        self.setAccessibleName("Review changed files")
        self.setWindowTitle("Changed outside Callgate")
        self.setModal(False)
        self._service, self._bridge, self._theme = service, bridge, theme
        self._task: asyncio.Task[None] | None = None
        self._shown: tuple[str, ...] | None = None
        self.sections: list[FileSection] = []
        guard = ClickGuard(self, arm_ms)
        self._guard = guard
        self.problem = plain_label("", "danger", wrap=True, selectable=True)
        self.problem.setObjectName("reviewProblem")
        self.empty = EmptyState(theme, "done", "Nothing to review", "No file was changed outside Callgate.")
        self.said = plain_label("", "secondary", wrap=True, selectable=True)
        self.said.setObjectName("reviewSaid")
        self.accept_all = GuardedButton("Accept all", guard)
        self.accept_all.setObjectName("acceptAll")
        self.accept_all.setProperty("kind", "primary")
        self.accept_some = GuardedButton("Accept selected", guard)
        self.accept_some.setObjectName("acceptSelected")
        self.later = QPushButton("Not now")
        self.later.setObjectName("reviewLater")
        self.later.setAutoDefault(False)
        self.later.setProperty("kind", "quiet")
        self._arrange()
        self.accept_all.clicked.connect(lambda: self._accept(self._all))
        self.accept_some.clicked.connect(lambda: self._accept(self._chosen))
        self.later.clicked.connect(self.close)
        guard.armed_changed.connect(lambda _: self._check())
        self.resize(*_SIZE)
        self.refresh()

    def _arrange(self) -> None:
        self._body = QWidget()
        self._files = QVBoxLayout(self._body)
        self._files.setContentsMargins(0, 0, S, 0)
        self._files.setSpacing(M)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidget(self._body)
        self._hint = plain_label(_HINT, "secondary", wrap=True)
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addWidget(self.said, 1)
        for button in (self.later, self.accept_some, self.accept_all):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(M)
        for widget, stretch in ((self._hint, 0), (self.problem, 0), (self.empty, 1), (self._scroll, 1)):
            column.addWidget(widget, stretch)
        column.addLayout(buttons)

    # ---- what is shown ----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Shows what waits now; the same again changes nothing."""
        problem = self._service.problem
        self.problem.setText(reveal(problem))
        self.problem.setVisible(bool(problem))
        changes = self._service.changes()
        shown = tuple(one.id for change in changes for one in change.widenings)
        if shown == self._shown:
            return
        self._shown = shown
        self._fill(changes)
        self._guard.rearm()
        self._check()

    def _fill(self, changes: tuple[Any, ...]) -> None:
        while (item := self._files.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.sections = []
        for change in changes:
            section = FileSection(change, self._theme)
            section.changed.connect(self._check)
            section.put_back_wanted.connect(self._put_back)
            self.sections.append(section)
            self._files.addWidget(section)
        self._files.addStretch(1)
        self.empty.setVisible(not changes)
        self._hint.setVisible(bool(changes))
        self._scroll.setVisible(bool(changes))
        self.accept_all.setVisible(bool(changes))
        self.accept_some.setVisible(len(self._all) > 1)
        self.later.setText("Not now" if changes else "Close")

    @property
    def _all(self) -> list[Widening]:
        return [row.widening for section in self.sections for row in section.rows]

    @property
    def _chosen(self) -> list[Widening]:
        return [widening for section in self.sections for widening in section.chosen]

    def _check(self) -> None:
        ready = self._guard.armed and self._task is None
        chosen, count = len(self._chosen), len(self._all)
        self.accept_all.setText("Accept" if count == 1 else f"Accept all {count}")
        self.accept_some.setText(f"Accept selected ({chosen})")
        self.accept_all.setEnabled(ready and bool(count))
        self.accept_some.setEnabled(ready and 0 < chosen < count)
        for section in self.sections:
            section.put_back.setEnabled(self._task is None)

    # ---- what the person does ---------------------------------------------------------------------------------------

    def _accept(self, chosen: list[Widening]) -> None:
        self._run(lambda: self._service.accept(chosen), "accepting changed files")

    def _put_back(self, file: str) -> None:
        async def run() -> None:
            kept = await self._service.put_back(file)
            self.said.setText(reveal(f"Put back. The changed file is kept as {kept}."))

        self._run(run, "putting a file back")

    def _run(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        if self._task is not None:
            return
        self.said.clear()
        self._task = self._bridge.start(self._shown_faults(work), self, name)
        self._task.add_done_callback(lambda _: self._done())
        self._check()

    async def _shown_faults(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except UserFault as fault:
            self.said.setText(reveal(str(fault)))

    def _done(self) -> None:
        self._task = None
        self.refresh()
        self._check()
        if not self.sections and not self.said.text():
            self.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)
