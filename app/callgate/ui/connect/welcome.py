"""The first screen: where Callgate listens, how to connect a program, and a demo for who has none at hand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from callgate.engine.endpoints.endpoint_service import EndpointView
from callgate.ui.connect.snippets import Snippet, snippets
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import HEADING_SIZE, XL, XS, L, M, S, Theme
from callgate.ui.widgets.copy_button import CopyButton

# Who answers now, in words for a new user. Pure.
_NAMED: Final = 3
DEMO_MODEL: Final = "callgate-demo"
_PLAIN: Final = re.compile(r"[\w./:@+-]*")
"""What a model's name may be made of to stand in an example: a provider chooses it, a person runs the example."""


@dataclass(frozen=True, slots=True)
class Answering:
    words: str
    action: str
    """What the button beside it says."""


def answering(endpoints: Sequence[EndpointView]) -> Answering:
    own = [endpoint for endpoint in endpoints if endpoint.origin != "demo"]
    if not own:
        return Answering("The demo model answers. Add your own provider.", "Add endpoint…")
    able = [endpoint.name for endpoint in own if not endpoint.problem]
    unable = [endpoint.name for endpoint in own if endpoint.problem]
    said = [f"{_joined(able)} {'answers.' if len(able) == 1 else 'answer.'}"] if able else []
    if unable:
        said.append(f"{_joined(unable)} {'needs' if len(unable) == 1 else 'need'} a look: no requests can go there.")
    return Answering(" ".join(said), "Endpoints…")


def model_to_ask_for(endpoints: Sequence[EndpointView]) -> str:
    """The model that an example should name: one that the person's own endpoint has, else the demo's.

    Of a glob the part that is known, to be completed: `gpt-…`.
    """
    able = [endpoint for endpoint in endpoints if endpoint.origin != "demo" and not endpoint.problem]
    if not able:
        return DEMO_MODEL
    first = next((endpoint for endpoint in able if endpoint.is_default), able[0])
    listed = first.examination.models if first.examination is not None else ()
    if named := next((model for model in (*first.models, *listed) if model and _PLAIN.fullmatch(model)), ""):
        return named
    known = _PLAIN.match(first.models[0]) if first.models else None
    return (known.group() if known is not None else "") + "…"


def _joined(names: Sequence[str]) -> str:
    shown = list(names[:_NAMED])
    if len(names) > _NAMED:
        shown.append(f"{len(names) - _NAMED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


_WIDEST = 720
"""Lines longer than this are hard to read."""
_CODE_LINES = 9
_EXAMPLE_ADDRESS = "http://127.0.0.1:8080"
_STEPS = (
    ("network", "Point a program here", "One base URL is all that changes: any SDK, agent or CLI."),
    ("forming", "Watch its calls form", "Every request appears live, token by token."),
    ("gate", "Decide before they run", "Approve, edit, deny or answer each call."),
)


class WelcomePage(QScrollArea):
    demo_requested = Signal()
    """Show me a conversation: no key, no network."""
    endpoints_requested = Signal()
    """Show me who answers, or let me add who should."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcomePage")
        self.setAccessibleName("Welcome")
        self._theme = theme
        self._address = ""
        self._model = DEMO_MODEL
        self._icons: list[tuple[QLabel, str]] = []
        self._url = plain_label(selectable=True)
        self._url.setFont(theme.mono(HEADING_SIZE))
        self._url.setAccessibleName("Base URL")
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        self._tabs.setAccessibleName("How to connect")
        self._demo = QPushButton("Try the demo")
        self._demo.setProperty("kind", "primary")
        self._demo.setObjectName("demoButton")
        self._demo.setAccessibleName("Try the demo")
        self._demo.clicked.connect(self.demo_requested)
        self._answering = plain_label("", "strong", wrap=True)
        self._answering.setObjectName("whoAnswers")
        self._endpoints = QPushButton()
        self._endpoints.setObjectName("endpointsButton")
        self._endpoints.clicked.connect(self.endpoints_requested)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(self._build())
        theme.changed.connect(self._redraw)
        self._redraw()
        self.set_address("")
        self.show_answering(())

    def show_answering(self, endpoints: Sequence[EndpointView]) -> None:
        """Who answers the programs that are pointed here."""
        said = answering(endpoints)
        self._answering.setText(reveal(said.words))
        self._endpoints.setText(said.action)
        self._endpoints.setAccessibleName(said.action)
        model = model_to_ask_for(endpoints)
        if model != self._model:
            self._model = model
            self._show_snippets()

    def set_address(self, address: str) -> None:
        """Where programs reach Callgate; empty = nowhere yet."""
        if address == self._address and self._tabs.count():
            return
        self._address = address
        self._url.setText(address or "Not listening yet")
        self._copy.setVisible(bool(address))
        self._show_snippets()

    def _show_snippets(self) -> None:
        chosen = max(self._tabs.currentIndex(), 0)
        while (page := self._tabs.widget(0)) is not None:
            self._tabs.removeTab(0)
            page.deleteLater()
        for snippet in snippets(self._address or _EXAMPLE_ADDRESS, self._model):
            self._tabs.addTab(self._snippet(snippet), snippet.title)
        self._tabs.setCurrentIndex(chosen)

    def _build(self) -> QWidget:
        sheet = QWidget()
        sheet.setMaximumWidth(_WIDEST)
        sheet.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        steps = QHBoxLayout()
        steps.setSpacing(XL)
        for icon, title, hint in _STEPS:
            steps.addLayout(self._step(icon, title, hint), 1)
        column = QVBoxLayout(sheet)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(L)
        column.addWidget(plain_label("Connect your first program", "heading"))
        column.addLayout(steps)
        column.addWidget(self._address_card())
        column.addWidget(self._answering_card())
        column.addWidget(self._tabs)
        column.addStretch(1)
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(sheet, 100)
        row.addStretch(1)
        return page

    def _step(self, icon: str, title: str, hint: str) -> QVBoxLayout:
        picture = QLabel()
        self._icons.append((picture, icon))
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(picture)
        head.addWidget(plain_label(title, "strong", wrap=True), 1)
        step = QVBoxLayout()
        step.setSpacing(XS)
        step.addLayout(head)
        step.addWidget(plain_label(hint, "secondary", wrap=True))
        step.addStretch(1)
        return step

    def _address_card(self) -> QFrame:
        self._copy = CopyButton(self._theme, lambda: self._address, "the address")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(plain_label("Base URL, for this machine only", "hint"))
        words.addWidget(self._url)
        return _card(words, self._copy)

    def _answering_card(self) -> QFrame:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._answering)
        words.addWidget(plain_label("No program at hand? Try it: no key, no network.", "secondary", wrap=True))
        return _card(words, self._endpoints, self._demo)

    def _snippet(self, snippet: Snippet) -> QWidget:
        code = QPlainTextEdit(snippet.code)
        code.setReadOnly(True)
        code.setFont(self._theme.mono())
        code.setAccessibleName(f"{snippet.title} example")
        code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        code.setFixedHeight(code.fontMetrics().lineSpacing() * _CODE_LINES + XL)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addWidget(plain_label(snippet.note, "hint", wrap=True), 1)
        foot.addWidget(CopyButton(self._theme, lambda: snippet.code, "this example"), 0, Qt.AlignmentFlag.AlignTop)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, M, 0, 0)
        column.setSpacing(XS)
        column.addWidget(code)
        column.addLayout(foot)
        return page

    def _redraw(self) -> None:
        for label, icon in self._icons:
            label.setPixmap(self._theme.icon(icon, "accent").pixmap(self._theme.icon_size))


def _card(words: QVBoxLayout, *buttons: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("card", True)
    row = QHBoxLayout(card)
    row.setContentsMargins(L, M, M, M)
    row.setSpacing(S)
    row.addLayout(words, 1)
    for button in buttons:
        row.addWidget(button)
    return card
