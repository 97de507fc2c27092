"""One kind of pane can have all the room; headers and events belong to wires."""

from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.traffic import translated_exchange, translated_wire

from callgate.ui.bridge import Bridge
from callgate.ui.theme import Theme
from callgate.ui.traffic.captured import captures
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.leg_panes import LegPanes


def filled(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> LegPanes:
    panes = LegPanes(console.wire_desk, bridge, theme)
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
