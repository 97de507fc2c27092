"""One endpoint: how it is doing, what is known of it, its key, and its verbs. Sends verbs on; does nothing itself."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QScrollArea, QVBoxLayout, QWidget

from callgate.engine.endpoints.endpoint_service import EndpointView
from callgate.ui.endpoints.check_view import CheckView
from callgate.ui.endpoints.key_box import KeyBox
from callgate.ui.endpoints.look import ORIGIN_WORDS, key_words, look_of, models_words, wire_words
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.fact_grid import FactGrid
from callgate.ui.widgets.wrapping_row import WrappingRow

# What is known of an endpoint, as names and values.
NAMES: Final = ("Address", "Protocol", "Models", "Key", "Dialect", "From")
CODE: Final = frozenset({"Address"})


def facts_of(view: EndpointView) -> dict[str, str]:
    """Those that there are, in the order in which one would ask."""
    said = {"Protocol": wire_words(view), "Models": models_words(view), "Key": key_words(view)}
    if view.address:
        said["Address"] = view.address
    if view.dialect:
        said["Dialect"] = view.dialect
    if view.origin == "demo":
        said["Models"] = "every model, while there is no other endpoint" if "*" in view.models else view.models[0]
    said["From"] = ORIGIN_WORDS[view.origin]
    return {name: said[name] for name in NAMES if name in said}


_IN_FILE = "It stands in the configuration file. What is changed there counts at once."
_DEMO = (
    "The demo model is a small program, not a language model: it calls real tools, so that everything can be tried "
    "without a key and without a network."
)


class EndpointDetail(QWidget):
    verb = Signal(str)
    """check, cancel, edit, copy, remove or forget."""
    key_entered = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, now: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self._theme, self._now = theme, now
        self._view: EndpointView | None = None
        self._icon = QLabel()
        self.title = plain_label("", "heading", selectable=True)
        self.title.setObjectName("endpointTitle")
        self.state = plain_label("", "secondary")
        self.state.setObjectName("endpointState")
        self.default = plain_label("default", "chip")
        self.default.setToolTip("Requests that name no model go here")
        self.problem = plain_label("", "danger", wrap=True, selectable=True)
        self.problem.setObjectName("endpointProblem")
        self.check = self._button("endpointCheck", "Check", "check")
        self.edit = self._button("endpointEdit", "Edit…", "edit")
        self.copy = self._button("endpointCopy", "Copy as TOML", "copy")
        self.remove = self._button("endpointRemove", "Remove", "remove", "danger")
        self.facts = FactGrid(theme, NAMES, CODE)
        self.key = KeyBox()
        self.finding = CheckView(theme)
        self.note = plain_label("", "hint", wrap=True)
        self._arrange()
        self.key.entered.connect(self.key_entered)
        self.key.forget_requested.connect(lambda: self.verb.emit("forget"))
        theme.changed.connect(self._draw)

    def _button(self, name: str, text: str, verb: str, kind: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAutoDefault(False)
        if kind:
            button.setProperty("kind", kind)
        button.clicked.connect(lambda: self.verb.emit("cancel" if verb == "check" and self._is_checking else verb))
        return button

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(S)
        for widget in (self._icon, self.title, self.state, self.default):
            head.addWidget(widget)
        head.addStretch(1)
        verbs = WrappingRow(S)
        for button in (self.check, self.edit, self.copy, self.remove):
            verbs.add(button)
        body = QWidget()
        as_pane(body)
        inner = QVBoxLayout(body)
        inner.setContentsMargins(L, M, L, L)
        inner.setSpacing(L)
        inner.addLayout(head)
        for widget in (self.problem, verbs, self.facts, self.key, self.finding, self.note):
            inner.addWidget(widget)
        inner.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scroll)

    # ---- what is shown ---------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self._view.name if self._view is not None else ""

    @property
    def _is_checking(self) -> bool:
        return self._view is not None and self._view.checking

    def show_view(self, view: EndpointView) -> None:
        before = self._view
        if before is None or before.name != view.name:
            self.key.clear()
            self.finding.clear()
        self._view = view
        self.title.setText(reveal(view.name))
        self.default.setVisible(view.is_default)
        self.problem.setText(reveal(view.problem))
        self.problem.setVisible(bool(view.problem))
        self.facts.show_facts(facts_of(view))
        own = view.origin != "demo"
        for widget, shown in (
            (self.check, own),
            (self.copy, own),
            (self.edit, view.editable),
            (self.remove, view.editable),
            (self.key, view.has_kept_key),
        ):
            widget.setVisible(shown)
        self.check.setText("Stop" if view.checking else "Check")
        self.key.show_for(has_key=view.key == "keyring" and not view.problem)
        self.note.setText(_DEMO if not own else _IN_FILE if view.origin == "config" else "")
        self.note.setVisible(bool(self.note.text()))
        self._show_finding(view)
        self._draw()

    def _show_finding(self, view: EndpointView) -> None:
        found = view.examination
        if view.checking:
            if not self.finding.is_running:
                self.finding.begin(view.name)
        elif found is not None and not view.problem:
            self.finding.show_finding(found, view.models, ago=figures.ago(found.at, self._now()))
        else:
            self.finding.clear()

    def show_menu(self, place: QPoint) -> None:
        view = self._view
        if view is None or view.origin == "demo":
            return
        menu = QMenu(self)
        menu.setObjectName("endpointMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if view.checking:
            menu.addAction("Stop checking", lambda: self.verb.emit("cancel"))
        else:
            menu.addAction("Check", lambda: self.verb.emit("check"))
        if view.editable:
            menu.addAction("Edit…", lambda: self.verb.emit("edit"))
        menu.addAction("Copy as TOML", lambda: self.verb.emit("copy"))
        if view.has_kept_key and view.key == "keyring" and not view.problem:
            menu.addAction("Forget its key", lambda: self.verb.emit("forget"))
        if view.editable:
            menu.addSeparator()
            menu.addAction("Remove", lambda: self.verb.emit("remove"))
        menu.popup(place)

    def _draw(self) -> None:
        if self._view is not None:
            look = look_of(self._view)
            self._icon.setPixmap(self._theme.icon(look.icon, look.color).pixmap(self._theme.icon_size))
            self.state.setText(look.word)
