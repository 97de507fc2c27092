"""What a translation changed is listed, for any two legs."""

from typing import Protocol

import pytest
from PySide6.QtCore import QModelIndex
from pytestqt.qtbot import QtBot
from tests.fakes.loop import BoundLoop
from tests.fakes.traffic import translated_wire

from callgate.core.json_diff import diff
from callgate.ui.bridge import Bridge
from callgate.ui.theme import Theme
from callgate.ui.traffic.captured import Capture, captures
from callgate.ui.traffic.diff_view import PAGE, ChangeModel, DiffView, compared, in_words

HELD = captures(translated_wire())


class ModelTester(Protocol):
    def check(self, model: ChangeModel, force_py: bool = ...) -> None: ...


@pytest.fixture
def view(qtbot: QtBot, bridge: Bridge, theme: Theme) -> DiffView:
    view = DiffView(bridge, theme)
    qtbot.addWidget(view)
    view.resize(500, 500)
    view.show()
    return view


def test_lists_of_changes_are_sound(qtmodeltester: ModelTester) -> None:
    model = ChangeModel()
    qtmodeltester.check(model)
    model.set_changes(diff({"a": 1}, {"b": 2}))
    qtmodeltester.check(model)


def test_two_legs_are_compared_by_their_structure(view: DiffView, loop: BoundLoop) -> None:
    view.show_captures(HELD, ("client_request", 0), ("upstream_request", 1))
    loop.until(lambda: view.model.rowCount() > 0)
    told = {(change.kind, change.where) for change in view.model.changes}
    assert ("removed", "logprobs") in told and ("added", "max_tokens") in told
    assert "added" in view.summary.text() and "removed" in view.summary.text()
    view.list.setCurrentIndex(view.model.index(0))
    assert view.detail.isVisible()
    view.grab()


def test_any_two_legs_can_be_chosen(view: DiffView, loop: BoundLoop) -> None:
    view.show_captures(HELD, ("client_request", 0), ("upstream_request", 1))
    assert [view.after.itemText(row) for row in range(view.after.count())] == [
        "Client request",
        "Upstream request, round 1",
        "Upstream response, round 1",
        "Client response",
    ]
    view.after.setCurrentIndex(0)
    loop.until(lambda: not view.summary.text() and view._none.isVisible())
    view.before.setCurrentIndex(2)
    loop.until(lambda: view.model.rowCount() > 0)


def test_what_cannot_be_compared_says_why(view: DiffView, loop: BoundLoop) -> None:
    broken = {**HELD, ("upstream_request", 1): Capture("upstream_request", 1, ((1.0, b"\xff\x00"),))}
    view.show_captures(broken, ("client_request", 0), ("upstream_request", 1))
    loop.until(view._none.isVisible)
    found = compared(HELD["client_request", 0], broken["upstream_request", 1], {})
    assert found.problem.startswith("Upstream request, round 1") and found.changes == ()
    view.show_captures({}, None, None)
    assert view._none.isVisible() and view.model.rowCount() == 0


def test_both_values_are_told_in_one_line() -> None:
    changed, added, removed = diff({"a": "x", "r": 1}, {"a": "y", "n": [1]})[0], *reversed(diff({"r": 1}, {"n": [1]}))
    assert in_words(changed) == '"x"  →  "y"'
    assert (in_words(added), in_words(removed)) == ("[ 1 ]", "1")


def test_thousands_of_differences_are_listed_as_one_scrolls(qtmodeltester: ModelTester) -> None:
    model = ChangeModel()
    model.set_changes(diff(list(range(1200)), list(range(1, 1201, 1))[::-1]))
    total = len(model.changes)
    assert model.rowCount() == PAGE < total
    while model.canFetchMore(QModelIndex()):
        model.fetchMore(QModelIndex())
    assert model.rowCount() == total
    qtmodeltester.check(model)
