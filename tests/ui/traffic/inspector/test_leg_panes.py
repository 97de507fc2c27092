"""Panes stand as the room allows, one kind can have all of it, and headers and events belong to wires."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.traffic import translated_exchange, translated_wire

from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.inspector.captured import captures
from callgate.ui.traffic.inspector.leg_panes import SIDE_BY_SIDE, STACKED, LegPanes


def filled(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> LegPanes:
    panes = LegPanes(console.wire_service, bridge, theme)
    for split in panes.splits:
        qtbot.addWidget(split)
        split.resize(500, 600)
        split.show()
    fold = ExchangeFold()
    fold.apply_all(translated_exchange())
    panes.show(fold.groups["ex_t"][0], captures(translated_wire()), 1)
    return panes


def test_one_kind_of_pane_is_shown_alone(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> None:
    panes = filled(qtbot, console, bridge, theme)
    panes.show_only("neutral")
    assert panes.neutral_response.isVisible() and not panes.upstream_response.isVisible()
    panes.set_mode("headers")
    assert panes.upstream_response.isVisible() and not panes.neutral_response.isVisible()
    panes.set_mode("structure")
    panes.show_only("client")
    assert panes.client_response.isVisible() and not panes.upstream_response.isVisible()
    panes.show_only("all")
    assert panes.client_response.isVisible() and panes.neutral_response.isVisible()


def test_the_answer_is_read_between_both_wires(
    qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme
) -> None:
    panes = filled(qtbot, console, bridge, theme)
    value = panes.neutral_response.read.value
    assert isinstance(value, dict) and value["usage"] == {"input": 812, "output": 42}
    titles = [side.title for side in panes.sides()]
    assert titles[0] == "Client request" and "Neutral: upstream response, round 1" in titles
    assert panes.usual_sides() == ("client_request#0", "upstream_request#1"), "a request that can't be read"


def test_panes_stand_side_by_side_or_stacked_or_one_at_a_time(
    qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme
) -> None:
    panes = filled(qtbot, console, bridge, theme)
    panes.fit(SIDE_BY_SIDE, 200)
    assert panes.request.orientation() == Qt.Orientation.Horizontal and panes.which == "all"
    panes.fit(SIDE_BY_SIDE - 1, STACKED)
    assert panes.request.orientation() == Qt.Orientation.Vertical and panes.which == "all"
    panes.fit(SIDE_BY_SIDE - 1, STACKED - 1)
    assert panes.which == "client" and panes.client_request.isVisible() and not panes.upstream_request.isVisible()
    panes.show_only("upstream")
    panes.fit(SIDE_BY_SIDE, 200)
    assert panes.which == "all", "what was chosen for little room is not meant for much"
    panes.fit(400, 300)
    assert panes.which == "upstream" and panes.choices == {True: "all", False: "upstream"}


def test_widths_that_were_drawn_hold_for_the_answer_too(
    qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme
) -> None:
    panes = filled(qtbot, console, bridge, theme)
    for split in panes.splits:
        split.resize(1200, 400)
    panes.fit(1200, 400)
    panes.remember({}, [600, 300, 300])
    panes.share_room()
    first, second, third = panes.response.sizes()
    assert first > second and abs(second - third) < 20
    panes.response.setSizes([300, 300, 600])
    panes.keep_sizes(panes.response)
    assert panes.sizes == panes.response.sizes()
