"""Keeps the line in the window and the review in step with what waits to be accepted."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from callgate.core.events import Event, FileChangesFound
from callgate.engine.console.change_service import ChangeService
from callgate.ui.bridge import Bridge
from callgate.ui.changed_files.dialog import ReviewDialog
from callgate.ui.changed_files.notice import ChangedFilesNotice
from callgate.ui.decision.click_guard import ARM_MS
from callgate.ui.theme.theme import Theme


class ChangedFilesPresenter(QObject):
    def __init__(self, service: ChangeService, bridge: Bridge, theme: Theme, *, arm_ms: int = ARM_MS) -> None:
        super().__init__()
        self._service = service
        self.notice = ChangedFilesNotice(theme)
        self.dialog = ReviewDialog(service, bridge, theme, arm_ms=arm_ms)
        self.notice.review_wanted.connect(self.open)
        bridge.batch.connect(self.apply)
        self._show()

    def set_window(self, window: QWidget) -> None:
        self.dialog.setParent(window, self.dialog.windowFlags() & ~Qt.WindowType.Widget | Qt.WindowType.Dialog)

    def apply(self, batch: tuple[Event, ...]) -> None:
        if any(isinstance(event, FileChangesFound) for event in batch):
            self._show()

    def open(self) -> None:
        self._show()
        self.dialog.show()
        self.dialog.activateWindow()

    def _show(self) -> None:
        self.notice.set_changes(self._service.changes(), self._service.problem)
        self.dialog.refresh()
