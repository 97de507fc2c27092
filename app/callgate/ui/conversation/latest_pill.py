"""The way back to the end, for whoever has scrolled away; says so when something new is there."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from callgate.ui.theme import M


class LatestPill(QPushButton):
    def __init__(self, parent: QWidget) -> None:
        super().__init__("↓ Latest", parent)
        self.setObjectName("newBelowButton")
        self.setAccessibleName("Go to the end")
        self.setToolTip("Go to the end and follow it (End)")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.has_news = False
        self.hide()

    def follow(self, following: bool, area: QRect) -> None:
        """Hides while the end is followed, else stands in the middle of the lower edge."""
        if following:
            self.set_news(False)
            self.hide()
            return
        self.adjustSize()
        self.move(area.center().x() - self.width() // 2, area.bottom() - self.height() - M)
        self.show()
        self.raise_()

    def set_news(self, news: bool) -> None:
        if news == self.has_news:
            return
        self.has_news = news
        self.setText("↓ New" if news else "↓ Latest")
        self.setAccessibleName("Go to what is new, at the end" if news else "Go to the end")
        self.setProperty("kind", "primary" if news else None)
        self.style().polish(self)
