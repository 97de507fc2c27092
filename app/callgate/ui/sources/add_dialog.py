"""Adding a source: paste anything, see what it was taken for, have the connection checked, and keep it.

Never modal. It talks to the desk alone; the page hears of what was added.
"""

import asyncio
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from callgate.core.config.doctor import Diagnosis, DoctorStep
from callgate.core.config.source_text import spell_toml
from callgate.core.errors import UserFault
from callgate.engine.sources.source_service import Recognition, SourceService
from callgate.ui.bridge import Bridge
from callgate.ui.sources.doctor_view import DoctorView
from callgate.ui.sources.draft_row import DraftRow
from callgate.ui.sources.input_form import InputForm
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_kind, set_tone
from callgate.ui.theme.theme import L, M, S, Theme

PLACEHOLDER: Final = """npx -y @modelcontextprotocol/server-memory
https://example.com/mcp
{ "mcpServers": { … } }"""
_HINT: Final = (
    "Paste a command line, an address, or a configuration: Claude Desktop, Cursor, .mcp.json, VS Code, Codex, "
    "or Callgate's own [[sources]]."
)
_READ_MS: Final = 120
"""After the last key: reading is quick, but rows that flicker while one types are not looked at."""
_SIZE: Final = (640, 620)
_PASTE_HEIGHT: Final = 128


class AddDialog(QDialog):
    added = Signal(str, str)
    """The name of a source that was added, and what the person should know of it."""

    def __init__(self, service: SourceService, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("addSource")
        self.setModal(False)
        self._service, self._bridge, self._theme = service, bridge, theme
        self._replacing = ""
        self._recognition = Recognition("")
        self._failed = False
        """Whether the last check failed: the next press adds all the same."""
        self._task: asyncio.Task[None] | None = None
        self.rows: list[DraftRow] = []
        self._build()
        self._arrange()
        self._connect()
        self.resize(*_SIZE)
        self.open_for()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.paste = QPlainTextEdit()
        self.paste.setObjectName("sourcePaste")
        self.paste.setAccessibleName("Command line, address or configuration")
        self.paste.setPlaceholderText(PLACEHOLDER)
        self.paste.setFont(self._theme.mono())
        self.paste.setFixedHeight(_PASTE_HEIGHT)
        self.paste.setTabChangesFocus(True)
        self._icon = QLabel()
        self.recognised = plain_label("", "strong", wrap=True)
        self.recognised.setObjectName("sourceRecognised")
        self.problems = plain_label("", "danger", wrap=True, selectable=True)
        self.problems.setObjectName("sourceProblems")
        self.inputs = InputForm(self._theme)
        self.inputs.setObjectName("sourceInputs")
        self.doctor = DoctorView(self._theme)
        self.add = QPushButton("Check and add")
        self.add.setObjectName("sourceAdd")
        self.add.setProperty("kind", "primary")
        self.add.setDefault(True)
        self.check = QPushButton("Check only")
        self.check.setObjectName("sourceCheckOnly")
        self.check.setAutoDefault(False)
        self.cancel = QPushButton("Cancel")
        self.cancel.setObjectName("sourceCancel")
        self.cancel.setAutoDefault(False)
        self.said = plain_label("", "danger", wrap=True, selectable=True)
        self.said.setObjectName("sourceAddFault")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_READ_MS)

    def _arrange(self) -> None:
        self._hint = plain_label(_HINT, "secondary", wrap=True)
        found = QHBoxLayout()
        found.setSpacing(S)
        found.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        found.addWidget(self.recognised, 1)
        self._drafts = QVBoxLayout()
        self._drafts.setSpacing(S)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, S, 0)
        inner.setSpacing(M)
        inner.addLayout(self._drafts)
        inner.addWidget(self.inputs)
        inner.addWidget(self.doctor)
        inner.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(body)
        self._scroll = scroll
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addWidget(self.said, 1)
        for button in (self.cancel, self.check, self.add):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(M)
        column.addWidget(self._hint)
        column.addWidget(self.paste)
        column.addLayout(found)
        column.addWidget(self.problems)
        column.addWidget(scroll, 1)
        column.addLayout(buttons)

    def _connect(self) -> None:
        self.paste.textChanged.connect(self._pause.start)
        self._pause.timeout.connect(self.read)
        self.inputs.changed.connect(self._settle)
        self.add.clicked.connect(lambda: self._begin(save=True))
        self.check.clicked.connect(lambda: self._begin(save=False))
        self.cancel.clicked.connect(self._cancel)
        self._theme.changed.connect(self._draw)

    # ---- opening ---------------------------------------------------------------------------------------------------

    def open_for(self, text: str = "", replacing: str = "") -> None:
        """Empty, or with a text; `replacing` = to change that source."""
        self._stop()
        self._replacing = replacing
        self.setWindowTitle(f"Edit {replacing}" if replacing else "Add a source")
        self.paste.setPlainText(text)
        self.read()
        self.paste.setFocus(Qt.FocusReason.OtherFocusReason)

    def edit(self, name: str) -> None:
        settings = self._service.settings(name)
        if settings is not None:
            self.open_for(spell_toml(settings), name)

    # ---- what was pasted -------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Takes the text for what it is, now."""
        self._pause.stop()
        self._recognition = self._service.recognise(self.paste.toPlainText(), self._replacing)
        for row in self.rows:
            self._drafts.removeWidget(row)
            row.hide()
            row.deleteLater()
        several = len(self._recognition.drafts) > 1
        self.rows = [
            DraftRow(draft, lambda one: self._service.draft(one, self._replacing), self._theme, choosable=several)
            for draft in self._recognition.drafts
        ]
        for row in self.rows:
            self._drafts.addWidget(row)
            row.changed.connect(self._settle)
        self.problems.setText(reveal("\n".join(self._recognition.problems)))
        self.problems.setVisible(bool(self._recognition.problems))
        self.recognised.setText(reveal(self._recognition.words))
        self.doctor.clear()
        self.paste.setFixedHeight(_PASTE_HEIGHT)
        self._settle()
        self._draw()

    def _settle(self) -> None:
        """Something was changed: an earlier check does not count any more."""
        self._failed = False
        self.said.setText("")
        wanted = [row for row in self.rows if row.is_wanted]
        self.inputs.ask([row.settings for row in wanted])
        self._label(bool(wanted) and not any(row.trouble for row in wanted))

    def _label(self, ready: bool) -> None:
        busy = self._task is not None
        verb = "Save" if self._replacing else "Add"
        self.add.setText(f"{verb} anyway" if self._failed else f"Check and {verb.lower()}")
        set_kind(self.add, "danger" if self._failed else "primary")
        self.add.setEnabled(ready and not busy)
        self.check.setEnabled(ready and not busy)
        self.paste.setReadOnly(busy)
        self.cancel.setText("Stop" if busy else "Cancel")

    # ---- checking and adding ---------------------------------------------------------------------------------------

    def _begin(self, *, save: bool) -> None:
        if self._task is not None:
            return
        if save and self._failed:
            self._task = self._bridge.start(self._save(), self, "adding a source")
        else:
            self._task = self._bridge.start(self._check(save), self, "checking a source")
        self._task.add_done_callback(lambda _: self._done())
        self._label(False)

    async def _check(self, save: bool) -> None:
        """One after the other; the first that fails is shown."""
        for row in [row for row in self.rows if row.is_wanted]:
            self.doctor.begin()
            self._fit_paste()
            self._scroll.ensureWidgetVisible(self.doctor)
            diagnosis = await self._service.examine(row.settings, self._step, self.inputs.values())
            self.doctor.end(diagnosis)
            QTimer.singleShot(0, self._scroll, self._look_at_verdict)
            if not diagnosis.works:
                self._failed = save or self._failed
                self._blame(row, diagnosis)
                return
        if save:
            await self._save()

    def _step(self, step: DoctorStep) -> None:
        self.doctor.show_step(step)
        QTimer.singleShot(0, self._scroll, self._follow)

    def _follow(self) -> None:
        bar = self._scroll.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _look_at_verdict(self) -> None:
        self._scroll.verticalScrollBar().setValue(self.doctor.y())

    def _fit_paste(self) -> None:
        """As high as its text while the steps need the room; empty or edited, it has room for more."""
        needed = self.paste.fontMetrics().lineSpacing() * self.paste.document().lineCount() + 2 * M
        self.paste.setFixedHeight(min(needed, _PASTE_HEIGHT))

    def _blame(self, row: DraftRow, diagnosis: Diagnosis) -> None:
        if len([one for one in self.rows if one.is_wanted]) > 1 and diagnosis.failure is not None:
            row.refuse(f"The check failed: {diagnosis.failure.detail}")

    async def _save(self) -> None:
        values = self.inputs.values()
        replacing = self._replacing
        for row in [row for row in self.rows if row.is_wanted]:
            settings = row.settings
            try:
                note = await self._service.add(settings, values, replacing)
            except UserFault as fault:
                self.said.setText(reveal(str(fault)))
                self._failed = False
                return
            row.wanted.setChecked(False)
            replacing = self._replacing = ""  # one takes its place, the others are new
            self.added.emit(settings.name, note)
        self._failed = False
        QTimer.singleShot(0, self, self.close)

    def _done(self) -> None:
        self._task = None
        wanted = [row for row in self.rows if row.is_wanted]
        self._label(bool(wanted) and (self._failed or not any(row.trouble for row in wanted)))

    def _cancel(self) -> None:
        if self._task is not None:
            self._stop()
        else:
            self.close()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self.doctor.stop("The check was stopped.")

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._cancel()
        else:
            super().keyPressEvent(event)

    def _draw(self) -> None:
        if self._recognition.drafts:
            icon, color, tone = "done", "completed", "strong"
        elif self._recognition.words:
            icon, color, tone = "error", "denied", "danger"
        else:
            icon, color, tone = "info", "text3", "secondary"
            self.recognised.setText("Nothing pasted yet.")
        self._icon.setPixmap(self._theme.icon(icon, color).pixmap(self._theme.icon_size))
        set_tone(self.recognised, tone)
