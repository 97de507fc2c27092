"""How a tool's definition has changed: each change in words, and on demand as a diff of the whole."""

import json
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.preview import DiffPreview
from callgate.core.messages import Json
from callgate.engine.offer.tool_service import Version
from callgate.ui.call_preview import CallPreview
from callgate.ui.text.format import ago, moment
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import XS, M, S, Theme
from callgate.ui.tools.page import ScrolledPage

_MOST_VERSIONS: Final = 20
_MOST_WORDS: Final = 12
_MOST_DIFF_ROWS: Final = 24


class HistoryPage(ScrolledPage):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._about = plain_label(tone="hint", wrap=True)
        self._about.setObjectName("toolHistoryWords")
        self._cards: list[VersionCard] = []
        self.add(self._about)

    def show_versions(self, versions: tuple[Version, ...], now: float) -> None:
        """Those that were there before stay unfolded, and the place of reading stays."""
        unfolded = {card.version.fingerprint for card in self._cards if card.compare.isChecked()}
        scrolled = self.verticalScrollBar().value()
        for card in self._cards:
            card.hide()
            card.deleteLater()
        self._cards = []
        if not versions:
            self._about.setText("Nothing is known of it yet.")
            return
        since = _ago(versions[-1].first_seen, now)
        changes = len(versions) - 1
        told = "It has not changed since." if not changes else f"Changed {_times(changes)} since."
        self._about.setText(f"First seen {since}. {told}")
        set_plain_tip(self._about, moment(versions[-1].first_seen))
        for version in versions[:_MOST_VERSIONS]:
            if version.before is not None:
                card = VersionCard(self._theme, version, now)
                self._cards.append(card)
                self.add(card)
                card.compare.setChecked(version.fingerprint in unfolded)
        if unfolded:
            self.column.activate()
            self.verticalScrollBar().setValue(scrolled)


class VersionCard(QFrame):
    """One change; the diff is made only when it is asked for."""

    def __init__(self, theme: Theme, version: Version, now: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolVersion")
        self.setProperty("card", True)
        self._theme = theme
        self.version = version
        when = plain_label(f"Changed {_ago(version.first_seen, now)}", "strong")
        set_plain_tip(when, moment(version.first_seen))
        self.compare = QToolButton()
        self.compare.setObjectName("toolCompare")
        self.compare.setText("Compare")
        self.compare.setAccessibleName("Show the change as a diff")
        self.compare.setCheckable(True)
        self.compare.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.compare.setIcon(theme.icon("collapsed"))
        self.diff = CallPreview(theme, most_rows=_MOST_DIFF_ROWS)
        told = [f"•  {change.words}" for change in version.changes[:_MOST_WORDS]]
        if len(version.changes) > _MOST_WORDS:
            told.append(f"•  and {len(version.changes) - _MOST_WORDS} more")
        head = QHBoxLayout()
        head.addWidget(when, 1)
        head.addWidget(self.compare)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, S, S)
        column.setSpacing(XS)
        column.addLayout(head)
        column.addWidget(plain_label(reveal("\n".join(told)), "secondary", selectable=True, wrap=True))
        column.addWidget(self.diff)
        self.diff.hide()
        self.compare.toggled.connect(self._unfold)

    def _unfold(self, unfolded: bool) -> None:
        self.compare.setIcon(self._theme.icon("expanded" if unfolded else "collapsed"))
        before, after = self.version.before, self.version.after
        if unfolded and before is not None:
            name = str(after.get("name", "tool"))
            self.diff.show_previews((DiffPreview(f"definition of {name}", _spelled(before), _spelled(after)),))
        else:
            self.diff.show_previews(())
        self.diff.setVisible(unfolded)


def _ago(then: float, now: float) -> str:
    """In the middle of a sentence."""
    words = ago(then, now)
    return "just now" if words == "now" else words


def _times(number: int) -> str:
    return "once" if number == 1 else "twice" if number == 2 else f"{number} times"


def _spelled(definition: Mapping[str, Json]) -> str:
    return json.dumps(dict(definition), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
