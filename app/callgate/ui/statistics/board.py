"""All tiles and plots of the statistics page, filled from counted numbers."""

from collections import Counter
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from callgate.core.catalog.prices import PriceTable
from callgate.core.catalog.statistics import (
    WAIT_EDGES,
    PartyCount,
    Statistics,
    ToolCount,
    by_agent,
    by_model,
    calls_per_tool,
    cost_of,
    cost_over_time,
    share_below,
    wait_histogram,
)
from callgate.core.messages import Usage
from callgate.core.tool import CLIENT_SOURCE
from callgate.ui.plots.column_chart import ColumnChart, Layer
from callgate.ui.plots.ranked_bars import RankedBar, RankedBars
from callgate.ui.statistics.ranges import labels, spans
from callgate.ui.text import format as figures
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import XS, L, M, S, Theme


# A titled box for a plot, and a box for one number.
class Card(QFrame):
    def __init__(self, title: str, plot: QWidget, about: str = "") -> None:
        super().__init__()
        self.setProperty("card", True)
        self.plot = plot
        self.note = plain_label(tone="hint")
        heading = plain_label(title, "strong")
        if about:
            set_plain_tip(heading, about)
        head = QHBoxLayout()
        head.setSpacing(S)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(heading)
        head.addWidget(self.note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, M)
        column.setSpacing(S)
        column.addLayout(head)
        grows = plot.sizePolicy().verticalPolicy() == QSizePolicy.Policy.Expanding
        column.addWidget(plot, 1 if grows else 0)
        if not grows:
            column.addStretch(1)


class Tile(QFrame):
    def __init__(self, title: str, about: str = "") -> None:
        super().__init__()
        self.setProperty("card", True)
        self._title = title
        self.figure = plain_label("–", "heading")
        self.note = plain_label("", "hint")
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, S)
        column.setSpacing(XS // 2)
        column.addWidget(plain_label(title, "hint"))
        column.addWidget(self.figure)
        column.addWidget(self.note)
        # long words must not make the page wider than the window
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if about:
            set_plain_tip(self, about)

    def show_figure(self, figure: str, note: str = "") -> None:
        self.figure.setText(figure)
        self.note.setText(note)
        self.setAccessibleName(f"{self._title}: {figure} {note}".strip())


_TWO_COLUMNS: Final = 720
"""Width from which plots stand in pairs."""
_SIX_TILES: Final = 960
_MOST_TOOLS: Final = 12
_BUILT_IN: Final = "built-in"
_MOST_PARTIES: Final = 10
_MOST_MODELS: Final = 5
_MODEL_INKS: Final = (("accent", 1.0), ("executing", 1.0), ("released", 1.0), ("waiting", 1.0), ("completed", 1.0))
_REST: Final = ("text3", 0.6)
_TOOL_INKS: Final = (
    ("completed", "ran or released"),
    ("waiting", "denied"),
    ("denied", "failed"),
    ("cancelled", "cancelled"),
)


class Board(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rounds = Tile("Rounds", "Requests to models")
        self.calls = Tile("Tool calls")
        self.lost = Tile("Failures", "Rounds that failed, and calls that returned an error")
        self.spoken = Tile("Tokens", "In and out; ≈ = some providers did not count, so a part of it is an estimate")
        self.cost = Tile("Cost", "By the price table of the traffic pane")
        self.waited = Tile("Approval", "How long half of the calls waited for a person at most")
        self.tokens = ColumnChart(theme, "Tokens over time", _count)
        self.costs = ColumnChart(theme, "Cost over time", figures.dollars)
        self.tools = RankedBars(theme, "Calls per tool", mono=True, legend=_TOOL_INKS)
        self.latency = ColumnChart(theme, "Approval latency", lambda value: f"{value:.0f}")
        self.failures = ColumnChart(theme, "Failures over time", lambda value: f"{value:.0f}")
        self.calls_over_time = ColumnChart(theme, "Calls over time", lambda value: f"{value:.0f}")
        self.agents = RankedBars(theme, "By agent")
        self.models = RankedBars(theme, "By model")
        self._cards = (
            Card("Tokens over time", self.tokens),
            Card("Cost over time", self.costs, "By the price table; models without a price are not in it"),
            Card("Calls per tool", self.tools),
            Card("Approval latency", self.latency, "How long calls waited for a person"),
            Card("Calls over time", self.calls_over_time),
            Card("Failures", self.failures),
            Card("By agent", self.agents),
            Card("By model", self.models),
        )
        self._grid = QGridLayout()
        self._grid.setSpacing(M)
        self._columns = self._abreast = 0
        self._tiles = (self.rounds, self.calls, self.lost, self.spoken, self.cost, self.waited)
        self._row = QGridLayout()
        self._row.setSpacing(M)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, S, L, L)
        column.setSpacing(M)
        column.addLayout(self._row)
        column.addLayout(self._grid)
        column.addStretch(1)
        self._arrange(2, 6)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = event.size().width()
        self._arrange(2 if width >= _TWO_COLUMNS else 1, 6 if width >= _SIX_TILES else 3)

    def _arrange(self, columns: int, abreast: int) -> None:
        if (columns, abreast) == (self._columns, self._abreast):
            return
        self._columns, self._abreast = columns, abreast
        for place, tile in enumerate(self._tiles):
            self._row.addWidget(tile, place // abreast, place % abreast)
        for column in range(len(self._tiles)):
            self._row.setColumnStretch(column, 1 if column < abreast else 0)
        for place, card in enumerate(self._cards):
            self._grid.addWidget(card, place // columns, place % columns)
        for column in range(2):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignTop)

    def show_statistics(self, counted: Statistics, prices: PriceTable) -> None:
        self._show_tiles(counted, prices)
        self._show_spending(counted, prices)
        self._show_calls(counted)
        self._show_failures(counted)
        self._show_parties(counted, prices)

    # ---- parts -----------------------------------------------------------------------------------------------------

    def _show_tiles(self, counted: Statistics, prices: PriceTable) -> None:
        usage = sum((row.usage for row in counted.rounds), Usage())
        rounds, calls = sum(row.rounds for row in counted.rounds), sum(row.calls for row in counted.calls)
        broken, failed = sum(row.failed for row in counted.rounds), sum(row.failed for row in counted.calls)
        denied = sum(row.denied for row in counted.calls)
        cost = cost_of(counted.rounds, prices)
        unpriced = sum(row.rounds for row in counted.rounds if prices.price(row.model) is None)
        waits = [wait.seconds for wait in counted.waits]
        half, most = share_below(waits, 0.5), share_below(waits, 0.95)
        self.rounds.show_figure(f"{rounds:,}", _plural(len(counted.agents), "agent"))
        self.calls.show_figure(f"{calls:,}", f"{denied:,} denied" if denied else "none denied" if calls else "")
        self.lost.show_figure(f"{broken + failed:,}", f"{_plural(broken, 'round')}, {_plural(failed, 'call')}")
        cached = f"{_share(usage.cached, usage.input)} of input cached"
        guessed = f"{_share(usage.estimated, usage.total)} estimated" if 100 * usage.estimated >= usage.total else ""
        tokens = figures.about(figures.count(usage.total), bool(usage.estimated))
        self.spoken.show_figure(tokens, (guessed or cached) if usage.total else "")
        on_guesses = any(row.usage.estimated and prices.cost(row.model, row.usage) for row in counted.rounds)
        dollars = "–" if cost is None else figures.about(figures.dollars(cost), on_guesses)
        self.cost.show_figure(dollars, _unpriced(unpriced, rounds))
        if half is None or most is None:
            self.waited.show_figure("–", "nobody was asked")
        else:
            self.waited.show_figure(figures.seconds(half), f"95% under {figures.seconds(most)}")

    def _show_spending(self, counted: Statistics, prices: PriceTable) -> None:
        names, told = labels(counted.range), spans(counted.range)
        usages = [(row.slice, row.usage) for row in counted.rounds]
        fresh = counted.spread((number, max(0, usage.input - usage.cached)) for number, usage in usages)
        cached = counted.spread((number, usage.cached) for number, usage in usages)
        out = counted.spread((number, usage.output) for number, usage in usages)
        layers = (
            Layer("cached", "accent", cached, 0.35),
            Layer("in", "accent", fresh, 0.8),
            Layer("out", "executing", out),
        )
        self.tokens.set_layers(layers, names, told, whole=True)
        costs = cost_over_time(counted, prices)
        shown = [
            Layer(model, ink, values, strength)
            for (model, values), (ink, strength) in zip(costs.items(), _MODEL_INKS, strict=False)
        ]
        rest = [values for model, values in costs.items() if model not in {layer.name for layer in shown}]
        if rest:
            shown.append(Layer("other models", _REST[0], tuple(map(sum, zip(*rest, strict=True))), _REST[1]))
        self.costs.set_layers(shown, names, told)

    def _show_calls(self, counted: Statistics) -> None:
        tools = calls_per_tool(counted)
        named = Counter(tool.tool for tool in tools)
        self.tools.set_bars(
            [
                RankedBar(
                    _named(tool, named[tool.tool] > 1),
                    _tool_parts(tool),
                    f"{tool.calls:,}",
                    f"{tool.tool} ({tool.source})\n{_plural(tool.calls, 'call')}, {tool.denied:,} denied,"
                    f" {tool.failed:,} failed",
                    tool.tool,
                )
                for tool in tools[:_MOST_TOOLS]
            ]
        )
        more = len(tools) - _MOST_TOOLS
        self._note(self.tools, f"and {_plural(more, 'more tool')}" if more > 0 else "")
        histogram = wait_histogram(counted.waits)
        self.latency.set_layers(
            (Layer("calls", "waiting", tuple(map(float, histogram))),), _wait_labels(), _wait_spans(), whole=True
        )
        done = counted.spread((row.slice, row.went_well) for row in counted.calls)
        denied = counted.spread((row.slice, row.denied) for row in counted.calls)
        failed = counted.spread((row.slice, row.failed) for row in counted.calls)
        layers = (
            Layer("ran or released", "completed", done),
            Layer("denied", "waiting", denied),
            Layer("failed", "denied", failed),
        )
        self.calls_over_time.set_layers(layers, labels(counted.range), spans(counted.range), whole=True)

    def _show_failures(self, counted: Statistics) -> None:
        rounds = counted.spread((row.slice, row.failed) for row in counted.rounds)
        calls = counted.spread((row.slice, row.failed) for row in counted.calls)
        every = (*counted.rounds, *counted.calls)
        stopped = counted.spread((row.slice, row.cancelled) for row in every)
        layers = (
            Layer("rounds failed", "denied", rounds),
            Layer("calls failed", "denied", calls, 0.55),
            Layer("cancelled", "cancelled", stopped, 0.7),
        )
        self.failures.set_layers(layers, labels(counted.range), spans(counted.range), whole=True)

    def _show_parties(self, counted: Statistics, prices: PriceTable) -> None:
        for plot, parties in ((self.agents, by_agent(counted, prices)), (self.models, by_model(counted, prices))):
            plot.set_bars([_party_bar(party) for party in parties[:_MOST_PARTIES]])

    def _note(self, plot: QWidget, words: str) -> None:
        next(card for card in self._cards if card.plot is plot).note.setText(words)


def _count(value: float) -> str:
    return figures.count(round(value)).replace(".0k", "k").replace(".0M", "M")


def _named(tool: ToolCount, twin: bool) -> str:
    """Two sources may have a tool of the same name; that of the program itself needs no more than that."""
    return tool.tool if not twin or tool.source == _BUILT_IN else f"{tool.tool} · {tool.source or CLIENT_SOURCE}"


def _tool_parts(tool: ToolCount) -> tuple[tuple[float, str], ...]:
    return (
        (tool.went_well, "completed"),
        (tool.denied, "waiting"),
        (tool.failed, "denied"),
        (tool.cancelled, "cancelled"),
    )


def _party_bar(party: PartyCount) -> RankedBar:
    cost = "no price" if party.cost is None else figures.dollars(party.cost)
    tokens = party.usage.total
    failed = f", {party.failed:,} failed" if party.failed else ""
    words = (
        f"{party.name}\n{_plural(party.rounds, 'round')}{failed}, {_plural(party.calls, 'call')}\n"
        f"{figures.count(party.usage.input)} tokens in, {figures.count(party.usage.output)} out, {cost}"
    )
    parts = ((float(party.usage.input), "accent"), (float(party.usage.output), "executing"))
    counted = _plural(party.rounds, "round") if party.rounds else _plural(party.calls, "call")
    figure = figures.about(f"{figures.count(tokens)} · {cost}", bool(party.usage.estimated)) if tokens else counted
    return RankedBar(party.name, parts if tokens else ((0.0, "accent"),), figure, words, party.name)


def _wait_labels() -> tuple[str, ...]:
    edges = [figures.seconds(edge) if edge < 60 else f"{edge / 60:.0f} min" for edge in WAIT_EDGES]
    plain = [edge.replace(".0", "") for edge in edges]
    return (f"< {plain[0]}", *(f"< {edge}" for edge in plain[1:]), "longer")


def _wait_spans() -> tuple[str, ...]:
    return tuple(f"Waited {label}" if label != "longer" else "Waited longer than 5 min" for label in _wait_labels())


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "0%"


def _unpriced(unpriced: int, rounds: int) -> str:
    if not unpriced:
        return ""
    return "no price is known" if unpriced == rounds else f"{_plural(unpriced, 'round')} without a price"
