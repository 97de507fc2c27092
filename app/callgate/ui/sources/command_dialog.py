"""Making a tool out of a command line: places in braces become its parameters. Never modal; saves through the desk."""

import asyncio
import shlex
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.config.argv_template import BadTemplate
from callgate.core.config.settings import SourceSettings
from callgate.core.errors import UserFault
from callgate.engine.sources.source_service import SourceService
from callgate.ui.bridge import Bridge
from callgate.ui.sources.command_draft import TYPES, CommandDraft, Parameter, make_source, slots_of, words_of
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox
from callgate.ui.widgets.tick_box import TickBox

_HINT: Final = (
    "A command line that models can call. {name} is a parameter, {name?} one that may be left out, {name*} a list. "
    "It is run without a shell: every value stays one argument, whatever is in it."
)
_SIZE: Final = (620, 560)
_DESCRIPTION_HEIGHT: Final = 64
NEW_SOURCE: Final = "commands"


class CommandDialog(QDialog):
    added = Signal(str, str)
    """The name of the source that has the tool, and what the person should know of it."""

    def __init__(self, service: SourceService, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("addCommand")
        self.setWindowTitle("Add a command tool")
        self.setModal(False)
        self._service, self._bridge, self._theme = service, bridge, theme
        self._task: asyncio.Task[None] | None = None
        self._kept: dict[str, Parameter] = {}
        self._fields: dict[str, tuple[ChoiceBox, QLineEdit]] = {}
        self._build()
        self._arrange()
        self.command.textChanged.connect(self._read)
        for line in (self.name, self.source, self.folder):
            line.textChanged.connect(self._judge)
        self.save.clicked.connect(self._begin)
        self.cancel.clicked.connect(self.close)
        self.resize(*_SIZE)
        self.start_new()

    def _build(self) -> None:
        self.name = _line("commandName", "Name", "word_count")
        self.command = _line("commandLine", "Command", "wc -w {file}")
        self.command.setFont(self._theme.mono())
        self.description = QPlainTextEdit()
        self.description.setObjectName("commandDescription")
        self.description.setAccessibleName("Description for the model")
        self.description.setPlaceholderText("What it does and when to use it, for the model.")
        self.description.setFixedHeight(_DESCRIPTION_HEIGHT)
        self.description.setTabChangesFocus(True)
        self.folder = _line("commandFolder", "Folder", "the workspace")
        self.source = _line("commandSource", "Source", NEW_SOURCE)
        self.read_only = TickBox(self._theme, "It only reads: nothing is changed by running it")
        self.read_only.setObjectName("commandReadOnly")
        self.said = plain_label("", "secondary", wrap=True, selectable=True)
        self.said.setObjectName("commandSaid")
        self.save = QPushButton("Add tool")
        self.save.setObjectName("commandSave")
        self.save.setProperty("kind", "primary")
        self.cancel = QPushButton("Cancel")
        self.cancel.setAutoDefault(False)

    def _arrange(self) -> None:
        form = QFormLayout()
        form.setSpacing(S)
        for words, field in (
            ("Name", self.name),
            ("Command", self.command),
            ("Description", self.description),
            ("Folder", self.folder),
            ("Source", self.source),
        ):
            form.addRow(plain_label(words, "secondary"), field)
        form.addRow("", self.read_only)
        self._title = plain_label("Parameters", "strong")
        self._grid_holder = QWidget()
        self._grid = QGridLayout(self._grid_holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(S)
        self._grid.setColumnStretch(2, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addWidget(self.said, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(M)
        column.addWidget(plain_label(_HINT, "secondary", wrap=True))
        column.addLayout(form)
        column.addWidget(self._title)
        column.addWidget(self._grid_holder)
        column.addStretch(1)
        column.addLayout(buttons)

    def start_new(self) -> None:
        for line in (self.name, self.command, self.folder):
            line.clear()
        self.description.clear()
        self.source.setText(NEW_SOURCE)
        self.read_only.setChecked(False)
        self._kept = {}
        self._read()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- parameters ------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """The places in the command line become fields; what was said of one stays, also while it is not there."""
        self._kept |= {name: self._parameter(name) for name in self._fields}
        try:
            slots = slots_of(self.command.text()) if self.command.text().strip() else ()
        except (UserFault, BadTemplate):
            slots = ()
        wanted = [(slot.name, slot.many) for slot in slots]
        if [name for name, _ in wanted] != list(self._fields) or not self._fields:
            while (item := self._grid.takeAt(0)) is not None:
                if (widget := item.widget()) is not None:
                    widget.hide()
                    widget.deleteLater()
            self._fields = {}
            for row, slot in enumerate(slots):
                self._add_parameter(row, slot.name, optional=slot.optional)
        for slot in slots:
            kind, _ = self._fields[slot.name]
            kind.setEnabled(not slot.many)
            if slot.many:
                kind.choose("array")
        self._title.setVisible(bool(slots))
        self._grid_holder.setVisible(bool(slots))
        self._judge()

    def _add_parameter(self, row: int, name: str, *, optional: bool) -> None:
        kept = self._kept.get(name, Parameter(name))
        kind = ChoiceBox(self._theme, f"Type of {name}", [(word, word) for word in TYPES])
        kind.setObjectName(f"parameterType_{name}")
        kind.choose(kept.type)
        about = _line(f"parameterAbout_{name}", f"Description of {name}", "What to give here")
        about.setText(kept.description)
        label: QLabel = plain_label(f"{name}{' (may be left out)' if optional else ''}")
        label.setFont(self._theme.mono())
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(kind, row, 1)
        self._grid.addWidget(about, row, 2)
        self._fields[name] = (kind, about)
        kind.currentIndexChanged.connect(self._judge)

    def _parameter(self, name: str) -> Parameter:
        kind, about = self._fields[name]
        return Parameter(name, str(kind.currentData()), about.text().strip())

    # ---- judging and saving ----------------------------------------------------------------------------------------

    def draft(self) -> CommandDraft:
        return CommandDraft(
            self.source.text().strip() or NEW_SOURCE,
            self.name.text().strip(),
            self.command.text().strip(),
            self.description.toPlainText().strip(),
            tuple(self._parameter(name) for name in self._fields),
            self.folder.text().strip(),
            self.read_only.isChecked(),
        )

    def _before(self) -> SourceSettings | None:
        """The source that gets one more tool, if it was made here before."""
        name = self.source.text().strip() or NEW_SOURCE
        view = self._service.source(name)
        if view is None or view.kind != "command" or view.origin != "added":
            return None
        return self._service.settings(name)

    def _made(self) -> SourceSettings:
        before = self._before()
        made = make_source(self.draft(), before)
        if problem := self._service.draft(made, made.name if before is not None else "").problem:
            raise UserFault(problem)
        return made

    def _judge(self) -> None:
        if not self.command.text().strip() or not self.name.text().strip():
            self._say("", ready=False)
            return
        try:
            self._made()
        except UserFault as fault:
            self._say(str(fault), ready=False, bad=True)
            return
        self._say(f"Runs {shlex.join(words_of(self.command.text()))}", ready=True)

    def _say(self, words: str, *, ready: bool, bad: bool = False) -> None:
        self.said.setText(reveal(words))
        set_tone(self.said, "danger" if bad else "hint")
        self.save.setEnabled(ready and self._task is None)

    def _begin(self) -> None:
        if self._task is None:
            self._task = self._bridge.start(self._save(), self, "adding a command tool")
            self._task.add_done_callback(self._done)

    async def _save(self) -> None:
        try:
            made = self._made()
            note = await self._service.add(made, replacing=made.name if self._before() is not None else "")
        except UserFault as fault:
            self._say(str(fault), ready=True, bad=True)
            return
        self.added.emit(made.name, note)
        QTimer.singleShot(0, self, self.close)

    def _done(self, _: "asyncio.Task[None]") -> None:
        self._task = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


def _line(name: str, words: str, placeholder: str) -> QLineEdit:
    line = QLineEdit()
    line.setObjectName(name)
    line.setAccessibleName(words)
    line.setPlaceholderText(placeholder)
    return line
