"""An address that the person is to visit: shown whole, opened only by the person's own click."""

from collections.abc import Callable

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from callgate.core.question import Answer, LinkQuestion
from callgate.ui.questions.sheet import Sheet
from callgate.ui.questions.words import can_open, doubts, where
from callgate.ui.text.argument_text import ArgumentText
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_layout import plain_lines
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import S, Theme
from callgate.ui.widgets.copy_button import CopyButton

OpenUrl = Callable[[str], bool]
"""Opens an address in the person's browser; False = there is none."""


def open_in_browser(url: str) -> bool:
    return QDesktopServices.openUrl(QUrl(url))


class LinkSheet(Sheet):
    accept_words = "Open in browser"
    accept_tip = "Opens exactly this address in your browser"

    def __init__(self, question: LinkQuestion, theme: Theme, open_url: OpenUrl = open_in_browser) -> None:
        super().__init__()
        self._question = question
        self._open_url = open_url
        self.quote(question.message, theme, "What the server says")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(plain_label("Opens", "secondary"))
        host = plain_label(reveal(where(question.url) or "nowhere"), "strong", selectable=True)
        host.setObjectName("questionHost")
        row.addWidget(host)
        row.addStretch(1)
        row.addWidget(CopyButton(theme, lambda: question.url, "the address"))
        self.column.addLayout(row)
        self.address = ArgumentText(theme, fewest_rows=1, most_rows=8)
        self.address.setObjectName("questionAddress")
        self.address.setAccessibleName("The whole address")
        self.address.start(structured=False)
        self.address.add(list(plain_lines(question.url)))
        self.column.addWidget(self.address)
        for doubt in doubts(question.url):
            self.say(doubt, "danger")

    def answer(self) -> Answer | None:
        return Answer("accept") if can_open(self._question.url) else None

    def first(self) -> QWidget | None:
        return self.address

    def accepted(self) -> str:
        if self._open_url(self._question.url):
            return ""
        QGuiApplication.clipboard().setText(self._question.url)
        return "No browser could be opened. The address was copied: paste it into one."
