"""Earlier traffic is read page by page, and to its end while somebody looks for something in it."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.traffic import afternoon

from callgate.ui.bridge import Bridge
from callgate.ui.traffic import history as history_file
from callgate.ui.traffic.history import TrafficHistory
from callgate.ui.traffic.model import TrafficModel


@pytest.fixture
def owner(qtbot: QtBot) -> QWidget:
    owner = QWidget()
    qtbot.addWidget(owner)
    return owner


def test_one_page_is_read_at_a_time(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge, owner: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_file, "PAGE", 4)
    console.play(list(afternoon(10)))
    bridge.flush()
    model = TrafficModel()
    history = TrafficHistory(console, bridge, model, owner, lambda: False)
    for held in (4, 8, 10):
        history.read()
        assert history.is_reading
        loop.until(lambda: not history.is_reading)
        assert len(model.fold) == held and history.has_more == (held < 10)
        assert model.shown[0].exchange_id == f"ex_{10 - held}"


def test_all_of_it_is_read_while_it_is_wanted(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge, owner: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_file, "PAGE", 4)
    console.play(list(afternoon(30)))
    bridge.flush()
    model = TrafficModel()
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(model.rowCount()))
    history = TrafficHistory(console, bridge, model, owner, lambda: len(model.fold) < 20)
    history.read()
    loop.until(lambda: not history.is_reading)
    assert len(model.fold) == 20 and history.has_more, "nobody wanted more"
    assert len(resets) <= 5, "each time all of it is put in order anew"
