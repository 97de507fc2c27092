"""Everything about files of conversations that the window starts: the export dialog, opening, dropping."""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from callgate.core.errors import UserFault
from callgate.core.events import FaultRaised
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.export.dialog import ExportDialog
from callgate.ui.theme.theme import Theme

SUFFIXES: Final = (".jsonl",)


class DropTarget(QObject):
    """Files dropped on the window. Takes only what may be a conversation; everything else is left to whoever wants
    it.
    """

    dropped = Signal(list)
    """list[Path], at least one."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDropEvent() if event.type() == QEvent.Type.Drop and (paths := _paths(event)):
                event.acceptProposedAction()
                self.dropped.emit(paths)
                return True
            case QDragEnterEvent() | QDragMoveEvent() if _paths(event):
                event.acceptProposedAction()
                return True
            case _:
                return super().eventFilter(watched, event)


def _paths(event: QDropEvent) -> list[Path]:
    urls = event.mimeData().urls()
    local = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return [path for path in local if path.suffix.lower() in SUFFIXES]


_FOLDER_KEY: Final = "export/folder"
_FILTER: Final = "Conversations of Callgate (*.jsonl);;All files (*)"


class ExportPresenter(QObject):
    imported = Signal(list)
    """Conversations that came from files: list[ConversationSummary]."""

    def __init__(
        self, console: Console, bridge: Bridge, theme: Theme, window: QWidget, settings: QSettings | None = None
    ) -> None:
        super().__init__(window)
        self._console, self._bridge, self._window, self._settings = console, bridge, window, settings
        self.dialog = ExportDialog(console.archive, bridge, theme, window, settings)
        self.target = DropTarget(window)
        self.target.dropped.connect(self.take)

    def export(self, conversations: Sequence[str]) -> None:
        """Opens the dialog for these."""
        if conversations:
            self._bridge.start(self._ask(tuple(conversations)), self, "preparing an export")

    def open_file(self) -> None:
        folder = str(self._settings.value(_FOLDER_KEY) or "") if self._settings is not None else ""
        dialog = QFileDialog(self._window, "Open conversations", folder, _FILTER)
        dialog.setObjectName("openFileDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda chosen: self.take([Path(path) for path in chosen]))
        dialog.open()

    def take(self, paths: Iterable[Path]) -> None:
        """Imports files, one after the other; what cannot be read is said and hinders no other."""
        self._bridge.start(self._take(tuple(paths)), self, "opening files")

    async def _ask(self, wanted: tuple[str, ...]) -> None:
        known = {summary.id: summary for summary in await self._console.conversations()}
        chosen = [known[conversation] for conversation in wanted if conversation in known]
        if chosen:
            self.dialog.ask(chosen)

    async def _take(self, paths: tuple[Path, ...]) -> None:
        for path in paths:
            try:
                summaries = await self._console.archive.import_file(path)
            except UserFault as problem:
                self._console.bus.publish(FaultRaised("import", str(problem), time.time()))
            else:
                self.imported.emit(list(summaries))
