"""An exchange that no table holds is found in the journal."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.core.timeline.test_fold import one_exchange
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop

from callgate.ui.bridge import Bridge
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.traffic.row_finder import RowFinder


def test_an_exchange_and_a_round_of_it_are_found_and_what_is_unknown_is_not(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge
) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    finder = RowFinder(console, bridge, owner)
    found: list[TrafficRow] = []
    finder.found.connect(found.append)
    console.journal["conv"] = one_exchange()
    finder.find("ex", 1)
    assert not found, "before the loop runs nothing can be read, and that does no harm"

    async def ask(number: int, exchange_id: str = "ex") -> None:
        finder.find(exchange_id, number)

    loop.run(ask(1))
    loop.until(lambda: len(found) == 1)
    assert (found[0].exchange_id, found[0].round) == ("ex", 1) and found[0].calls[0].id == "inv"
    loop.run(ask(7))
    loop.until(lambda: len(found) == 2)
    assert found[1].round == 0, "without that round, the exchange"
    loop.run(ask(1, "nobody"))
    loop.run(ask(1))
    loop.until(lambda: len(found) == 3)
    assert found[2].round == 1
