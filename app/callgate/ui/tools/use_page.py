"""How a tool has been used: figures, small plots, the rules about it, and its last calls to be looked at."""

import time
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from callgate.core.catalog.tool_statistics import DAYS, PastCall, ToolStatistics
from callgate.core.rules.rule import Rule
from callgate.core.rules.rule_words import limit_words, origin_words, rule_words, state_of
from callgate.core.tool import Tool
from callgate.ui.plots.bar_chart import Bar, BarChart
from callgate.ui.plots.sparkline import Sparkline
from callgate.ui.text.format import ago, count, moment, seconds
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, plain_tip
from callgate.ui.theme.theme import L, Theme
from callgate.ui.tools.columns import Columns
from callgate.ui.tools.page import ScrolledPage, Section
from callgate.ui.widgets.flow_layout import FlowLayout

_DAY: Final = 86400.0
_VERDICTS: Final = {
    "allow": ("approve", "completed"),
    "ask": ("waiting", "waiting"),
    "deny": ("denied", "denied"),
}
_ENDINGS: Final = {
    "completed": ("done", "completed"),
    "released": ("released", "released"),
    "failed": ("failed", "denied"),
    "denied": ("denied", "denied"),
    "skipped": ("skipped", "cancelled"),
    "timed out": ("timed_out", "cancelled"),
    "cancelled": ("cancelled", "cancelled"),
}
_MOST_RULES: Final = 20


class UsePage(ScrolledPage):
    open_requested = Signal(str)
    """The conversation of a call: its id."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._figures = QWidget()
        self._figures.setObjectName("toolFigures")
        self._flow = FlowLayout(L, self._figures)
        self.days = BarChart(theme, "Calls a day")
        self.days.setObjectName("toolDays")
        self.times = Sparkline(theme, "Time of the last runs", seconds)
        self.times.setObjectName("toolTimes")
        self._never = plain_label("Never called so far.", "hint", wrap=True)
        self._by_day = Section(theme, f"Calls in the last {DAYS} days")
        self._by_day.add(self.days)
        self._by_run = Section(theme, "Time of the last runs")
        self._by_run.add(self.times)
        self._rules = Section(theme, "Rules about it")
        self._rules.setObjectName("toolRules")
        self._latest = Section(theme, "Last calls")
        self._latest.setObjectName("toolLastCalls")
        self.columns = Columns((self._by_day, self._latest), (self._by_run, self._rules))
        for part in (self._never, self._figures, self.columns):
            self.add(part)

    def show_statistics(self, found: ToolStatistics, now: float) -> None:
        self._never.setVisible(found.calls == 0)
        for part in (self._figures, self._by_day, self._latest):
            part.setVisible(found.calls > 0)
        self._by_run.setVisible(bool(found.times))
        self._fill_figures(found)
        self.days.set_bars(_bars(found, now))
        marks = [(at, word) for at, word in ((found.p50, "p50"), (found.p95, "p95")) if at is not None]
        self.times.set_values(found.times, marks=marks, color="executing")
        self._latest.clear()
        for call in found.latest:
            self._latest.add(self._call(call, now))

    def show_rules(self, tool: Tool, rules: tuple[Rule, ...], now: float) -> None:
        self._rules.clear()
        for rule in rules[:_MOST_RULES]:
            icon, color = _VERDICTS[rule.verdict]
            state = state_of(rule, (tool,), now)
            said = (rule.note, origin_words(rule), limit_words(rule, now), state.reason)
            below = " · ".join(filter(None, said))
            shown = "text3" if state.reason else color
            self._rules.say(_sentence(reveal(rule_words(rule))), "small", icon, shown, reveal(below))
        if len(rules) > _MOST_RULES:
            self._rules.say(f"and {len(rules) - _MOST_RULES} more", "hint")
        if not rules:
            self._rules.say("None: each call of it is asked about.", "secondary", "waiting", "waiting")

    def _fill_figures(self, found: ToolStatistics) -> None:
        while (item := self._flow.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        figures = [
            (count(found.calls), "calls"),
            (count(found.approved), "approved"),
            (count(found.allowed), "by rule"),
            (count(found.denied), "denied"),
            (count(found.failed), "failed"),
        ]
        if found.p50 is not None and found.p95 is not None:
            figures += [(seconds(found.p50), "p50"), (seconds(found.p95), "p95")]
        if found.waited_p50 is not None:
            figures.append((seconds(found.waited_p50), "waited"))
        for number, words in figures:
            self._flow.addWidget(_figure(number, words))

    def _call(self, call: PastCall, now: float) -> QWidget:
        icon, color = _ENDINGS[call.word]
        spent = f" · {seconds(call.ran)}" if call.ran is not None else ""
        button = QPushButton(f"{ago(call.at, now)} · {_short(reveal(call.agent))} · {call.word}{spent}")
        button.setObjectName("toolCall")
        button.setProperty("kind", "address")
        button.setIcon(self._theme.icon(icon, color))
        button.setToolTip(plain_tip(f"{moment(call.at)}\nOpens the conversation"))
        button.setAccessibleName(f"Open the conversation: {button.text()}")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda _=False, place=call.conversation_id: self.open_requested.emit(place))
        return button


def _bars(found: ToolStatistics, now: float) -> list[Bar]:
    bars: list[Bar] = []
    for place, (calls, failed) in enumerate(zip(found.days, found.failed_days, strict=True)):
        day = time.localtime(now - (DAYS - 1 - place) * _DAY)
        said = f"{time.strftime('%a %d %b', day)}: {calls} call{'' if calls == 1 else 's'}"
        words = f"{said}, {failed} failed" if failed else said
        label = {0: time.strftime("%d %b", day), DAYS - 1: "today"}.get(place, "")
        bars.append(Bar(calls, words, label, failed))
    return bars


def _figure(number: str, words: str) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(plain_label(number, "heading", selectable=True))
    column.addWidget(plain_label(words, "hint"))
    box.setAccessibleName(f"{number} {words}")
    return box


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _short(agent: str, most: int = 24) -> str:
    """An ampersand on a button would be a shortcut."""
    return (agent if len(agent) <= most else f"{agent[: most - 1]}…").replace("&", "&&")
