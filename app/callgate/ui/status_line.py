"""The line at the bottom: address and counts, always in the same place."""

from PySide6.QtWidgets import QStatusBar, QWidget

from callgate.ui.plain_text import plain_label


class StatusLine(QStatusBar):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusLine")
        self.setAccessibleName("Status")
        self.setSizeGripEnabled(False)
        self._address, self._tools, self._conversations, self._waiting = (plain_label() for _ in range(4))
        self.addWidget(self._address)
        for label in (self._tools, self._conversations, self._waiting):
            self.addPermanentWidget(label)
        self.set_address("")
        self.set_tools(0, 0)
        self.set_conversations(0)
        self.set_waiting(0)

    def set_address(self, address: str) -> None:
        self._address.setText(f"Listening on {address}" if address else "Not listening")

    def set_tools(self, total: int, enabled: int) -> None:
        self._tools.setText(_counted(total, "tool") + (f", {enabled:,} enabled" if enabled != total else ""))

    def set_conversations(self, count: int) -> None:
        self._conversations.setText(_counted(count, "conversation"))

    def set_waiting(self, count: int) -> None:
        self._waiting.setText(f"{count} waiting" if count else "Nothing waiting")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"
