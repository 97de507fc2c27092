"""Files dropped on the window. Takes only what may be a conversation; everything else is left to whoever wants it."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

SUFFIXES: Final = (".jsonl",)


class DropTarget(QObject):
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
