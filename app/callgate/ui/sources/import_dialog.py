"""Importing servers from other programs: which files there are, what is in them, and which to take. Never modal."""

import asyncio
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from callgate.core.errors import UserFault
from callgate.engine.sources.source_service import FoundFile, SourceService
from callgate.ui.bridge import Bridge
from callgate.ui.sources.draft_row import DraftRow
from callgate.ui.sources.input_form import InputForm
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, L, M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState

_SIZE: Final = (680, 560)
_HINT: Final = "Servers that other programs on this machine are set up with. Their files are only read."


class ImportDialog(QDialog):
    added = Signal(str, str)
    """The name of a source that was added, and what the person should know of it."""

    def __init__(self, service: SourceService, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("importSources")
        self.setWindowTitle("Import from other programs")
        self.setModal(False)
        self._service, self._bridge, self._theme = service, bridge, theme
        self._task: asyncio.Task[None] | None = None
        self.rows: list[DraftRow] = []
        self.inputs = InputForm(theme)
        self.inputs.hide()
        self.empty = EmptyState(
            theme,
            "source",
            "No servers found",
            "Looked for Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Gemini CLI, LM Studio and Codex.",
        )
        self.said = plain_label("", "danger", wrap=True, selectable=True)
        self.take = QPushButton("Import")
        self.take.setObjectName("importTake")
        self.take.setProperty("kind", "primary")
        self.cancel = QPushButton("Cancel")
        self.cancel.setAutoDefault(False)
        self._arrange()
        self.take.clicked.connect(self._begin)
        self.cancel.clicked.connect(self.close)
        self.inputs.changed.connect(self._settle)
        self.resize(*_SIZE)

    def _arrange(self) -> None:
        self._body = QWidget()
        self._files = QVBoxLayout(self._body)
        self._files.setContentsMargins(0, 0, S, 0)
        self._files.setSpacing(S)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(self._body)
        self._scroll = scroll
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addWidget(self.said, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.take)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(M)
        column.addWidget(plain_label(_HINT, "secondary", wrap=True))
        column.addWidget(self.empty, 1)
        column.addWidget(scroll, 1)
        column.addWidget(self.inputs)
        column.addLayout(buttons)

    def look(self) -> None:
        """Looks at the files again."""
        self._fill(())
        self._bridge.start(self._find(), self, "looking for servers of other programs")

    async def _find(self) -> None:
        self._fill(await self._service.found())

    def _fill(self, files: tuple[FoundFile, ...]) -> None:
        while (item := self._files.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.rows = []
        for file in files:
            self._files.addWidget(self._title(file))
            for problem in file.problems:
                self._files.addWidget(plain_label(reveal(problem), "danger", wrap=True, selectable=True))
            for draft in file.drafts:
                row = DraftRow(draft, self._service.draft, self._theme)
                row.wanted.setEnabled(not draft.problem)
                row.name.setEnabled(not draft.problem)
                row.changed.connect(self._settle)
                self.rows.append(row)
                self._files.addWidget(row)
        self._files.addStretch(1)
        self.empty.setVisible(not files)
        self._scroll.setVisible(bool(files))
        self._settle()

    def _title(self, file: FoundFile) -> QWidget:
        held = QWidget()
        row = QVBoxLayout(held)
        row.setContentsMargins(0, S, 0, 0)
        row.setSpacing(XS)
        row.addWidget(plain_label(file.program, "strong"))
        row.addWidget(plain_label(reveal(file.path), "hint", selectable=True))
        return held

    @property
    def _wanted(self) -> list[DraftRow]:
        return [row for row in self.rows if row.is_wanted]

    def _settle(self) -> None:
        wanted = self._wanted
        self.inputs.ask([row.settings for row in wanted])
        count = len(wanted)
        self.take.setText("Import" if not count else "Import 1 server" if count == 1 else f"Import {count} servers")
        names = [row.settings.name for row in wanted]
        twice = next((name for name in names if names.count(name) > 1), "")
        self.said.setText(f"Two of them are named {twice}." if twice else "")
        troubled = any(row.trouble for row in wanted)
        self.take.setEnabled(bool(count) and not twice and not troubled and self._task is None)

    def _begin(self) -> None:
        if self._task is None:
            self._task = self._bridge.start(self._import(), self, "importing sources")
            self._task.add_done_callback(lambda _: self._done())
            self.take.setEnabled(False)

    async def _import(self) -> None:
        values = self.inputs.values()
        for row in self._wanted:
            settings = row.settings
            try:
                note = await self._service.add(settings, values)
            except UserFault as fault:
                row.refuse(str(fault))
                return
            row.wanted.setChecked(False)
            self.added.emit(settings.name, note)
        QTimer.singleShot(0, self, self.close)

    def _done(self) -> None:
        self._task = None
        self._settle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)
