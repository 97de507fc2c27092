"""The export dialog: what is in the file, before there is one. Never modal; nothing leaves before Save or Copy.

The preview is the beginning of the very file that would be written, made anew with each choice; only what stands for
a picture or a file is shortened in it.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSettings, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.conversation import ConversationSummary
from callgate.core.errors import UserFault
from callgate.core.secrets.redaction import Redactor
from callgate.engine.console.archive import ArchiveService, ExportPreview
from callgate.export.format import FORMATS, file_name
from callgate.ui.bridge import Bridge
from callgate.ui.export.choices import ExportChoices, facts_label, separator
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import SMALL_SIZE, L, S, Theme

_SIZE: Final = (940, 640)
_FOLDER_KEY: Final = "export/folder"
_DATA: Final = re.compile(r"[A-Za-z0-9+/]{240,}={0,2}")
"""Pictures and files in base64: nobody reads them, and they push everything else out of sight."""
_KEPT: Final = 24


class ExportDialog(QDialog):
    saved = Signal(str)
    """A file was written: its path."""

    def __init__(
        self,
        archive: ArchiveService,
        bridge: Bridge,
        theme: Theme,
        parent: QWidget | None = None,
        settings: QSettings | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle("Export")
        self.setAccessibleName("Export conversations")
        self._archive, self._bridge, self._theme, self._settings = archive, bridge, theme, settings
        self._conversations: tuple[str, ...] = ()
        self._title = ""
        self._asked = 0
        self._busy = False
        self._saved = ""
        self.choices = ExportChoices(theme, settings)
        self._heading = plain_label("", "heading", wrap=True)
        self._facts = facts_label("exportFacts", "secondary")
        self._taken = facts_label("exportTaken", "secondary")
        self.preview = QPlainTextEdit()
        self.preview.setObjectName("exportPreview")
        self.preview.setAccessibleName("How the file begins")
        self.preview.setReadOnly(True)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(4)
        self._progress.hide()
        self._status = plain_label("", "secondary", selectable=True, wrap=True)
        self._status.setObjectName("exportStatus")
        self.folder_button = _button("exportFolder", "Show folder", "quiet")
        self.folder_button.hide()
        self.close_button = _button("exportClose", "Close", "")
        self.copy_button = _button("exportCopy", "Copy", "")
        self.save_button = _button("exportSave", "Save…", "primary")
        self.save_button.setDefault(True)
        self._build()
        self.choices.changed.connect(self._refresh)
        self.save_button.clicked.connect(self._choose_file)
        self.copy_button.clicked.connect(self._copy)
        self.close_button.clicked.connect(self.hide)
        self.folder_button.clicked.connect(self._show_folder)
        theme.changed.connect(self._draw)
        self._draw()

    def _build(self) -> None:
        self.resize(*_SIZE)
        right = QVBoxLayout()
        right.setContentsMargins(L, L, L, L)
        right.setSpacing(S)
        right.addWidget(self._heading)
        right.addWidget(self._facts)
        right.addWidget(self.preview, 1)
        right.addWidget(self._taken)
        right.addWidget(self._progress)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addWidget(self._status, 1)
        for button in (self.folder_button, self.close_button, self.copy_button, self.save_button):
            foot.addWidget(button)
        right.addLayout(foot)
        as_pane(self.choices)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.choices)
        row.addWidget(separator())
        row.addLayout(right, 1)

    def ask(self, conversations: Sequence[ConversationSummary]) -> None:
        """Shows what an export of these would hold."""
        self._conversations = tuple(summary.id for summary in conversations)
        one = conversations[0] if len(conversations) == 1 else None
        self._title = one.shown_title if one is not None else "conversations"
        self._heading.setText(
            f"Export “{reveal(one.shown_title) or 'Untitled conversation'}”"
            if one is not None
            else f"Export {len(conversations)} conversations"
        )
        self._refresh()
        self.show()
        self.raise_()

    # ---- the preview -----------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        self._asked += 1
        self._say("")
        self._facts.setText("Reading…")
        self._bridge.start(self._look(self._asked), self, "preparing an export")

    async def _look(self, number: int) -> None:
        try:
            seen = await self._archive.preview(self._conversations, self.choices.form, self.choices.options)
        except UserFault as problem:
            if number == self._asked:
                self._facts.setText("")
                self.preview.clear()
                self._say(str(problem), failed=True)
            return
        if number == self._asked:
            self._show(seen)

    def _show(self, seen: ExportPreview) -> None:
        parts = [
            _counted(seen.exchanges, "exchange"),
            _counted(seen.calls, "tool call"),
            _counted(seen.events, "event"),
            f"{figures.size(seen.captured)} captured" if seen.captured else "",
            _counted(seen.messages, "MCP message") if seen.messages else "",
            f"file {figures.size(seen.size)}",
        ]
        rest = seen.conversations - seen.looked_into
        more = f"; and {rest} more conversations, not looked into here" if rest else ""
        self._facts.setText(" · ".join(filter(None, parts)) + more)
        self._taken.setText(" ".join((self._taken_words(seen), *seen.notes)))
        self.preview.setPlainText(reveal(_DATA.sub(_shortened, seen.sample)))
        nothing = FORMATS[self.choices.form].needs_wire and not seen.captured
        if nothing:
            self._say(
                "No bytes were captured of this, or they are no longer kept: the file would be empty.", failed=True
            )
        self.save_button.setEnabled(not nothing and not self._busy)
        self.copy_button.setEnabled(not nothing and not self._busy)

    def _taken_words(self, seen: ExportPreview) -> str:
        if seen.redactions:
            return "Taken out: " + ", ".join(_counted(count, name) for name, count in seen.redactions)
        return "Nothing was found to take out." if self.choices.options.redaction.secrets else "Nothing is taken out."

    # ---- out of the program ----------------------------------------------------------------------------------------

    def _choose_file(self) -> None:
        folder = str(self._settings.value(_FOLDER_KEY) or "") if self._settings is not None else ""
        suffix = FORMATS[self.choices.form].suffix
        # a title may hold what is taken out of the file
        name = file_name(Redactor(self.choices.options.redaction).text(self._title), self.choices.form)
        dialog = QFileDialog(self, "Export", folder, f"{FORMATS[self.choices.form].title} (*{suffix});;All files (*)")
        dialog.setObjectName("exportFileDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix.removeprefix("."))
        dialog.selectFile(name)
        dialog.fileSelected.connect(lambda chosen: self.save_to(Path(chosen)))
        dialog.open()

    def save_to(self, path: Path) -> None:
        if self._busy:
            return
        if self._settings is not None:
            self._settings.setValue(_FOLDER_KEY, str(path.parent))
        self._set_busy(True)
        self._bridge.start(self._save(path), self, "exporting")

    async def _save(self, path: Path) -> None:
        try:
            size = await self._archive.export(
                self._conversations, self.choices.form, self.choices.options, path, self._step
            )
        except UserFault as problem:
            self._say(str(problem), failed=True)
        else:
            self._saved = str(path)
            self._say(f"Saved {path.name} ({figures.size(size)})")
            self.folder_button.show()
            self.saved.emit(str(path))
        finally:
            self._set_busy(False)

    def _step(self, done: int, total: int) -> None:
        self._progress.setMaximum(total)
        self._progress.setValue(done)

    def _copy(self) -> None:
        self._bridge.start(self._copy_text(), self, "copying an export")

    async def _copy_text(self) -> None:
        try:
            text = await self._archive.text(self._conversations, self.choices.form, self.choices.options)
        except UserFault as problem:
            self._say(str(problem), failed=True)
            return
        QGuiApplication.clipboard().setText(text)
        self._say(f"Copied {figures.size(len(text.encode('utf-8', 'replace')))}")

    def _show_folder(self) -> None:
        if self._saved:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(self._saved).parent)))

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        self._progress.setVisible(busy)
        self._progress.setValue(0)
        for button in (self.save_button, self.copy_button):
            button.setEnabled(not busy)

    def _say(self, words: str, *, failed: bool = False) -> None:
        self._status.setText(reveal(words))
        self._status.setProperty("tone", "danger" if failed else "secondary")
        self._status.style().polish(self._status)
        self.folder_button.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _draw(self) -> None:
        self.preview.setFont(self._theme.mono(SMALL_SIZE))
        self.save_button.setIcon(self._theme.icon("save", "canvas" if self._theme.is_dark else "surface"))
        self.copy_button.setIcon(self._theme.icon("copy"))


def _shortened(data: re.Match[str]) -> str:
    return f"{data[0][:_KEPT]}… {len(data[0]):,} letters of a picture or file …"


def _counted(count: int, name: str) -> str:
    plural = f"{name}es" if name.endswith("s") else f"{name}s"
    return "" if not count else f"1 {name}" if count == 1 else f"{count:,} {plural}"


def _button(name: str, text: str, kind: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAutoDefault(False)
    if kind:
        button.setProperty("kind", kind)
    return button
