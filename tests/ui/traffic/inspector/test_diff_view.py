"""What a translation changed is listed, for any two legs."""

from typing import Protocol

import pytest
from PySide6.QtCore import QModelIndex
from pytestqt.qtbot import QtBot
from tests.fakes.loop import BoundLoop
from tests.fakes.traffic import translated_wire

from callgate.core.json.diff import diff
from callgate.engine.console.wire_service import LegBytes, read_neutral
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.captured import Capture, Captures, captures
from callgate.ui.traffic.inspector.change_list import PAGE, ChangeModel, in_words
from callgate.ui.traffic.inspector.comparable import Comparable, comparables
from callgate.ui.traffic.inspector.diff_view import DiffView, compared
from callgate.wire.registry import CODECS

HELD = captures(translated_wire())
WIRES = {"client_request": "openai-chat", "client_response": "openai-chat"}


def sides(held: Captures) -> tuple[Comparable, ...]:
    def spoken(capture: Capture) -> LegBytes:
        return LegBytes(capture.leg, WIRES.get(capture.leg, "anthropic"), capture.data)  # type: ignore[arg-type]

    return comparables(held, spoken, lambda sent: read_neutral(CODECS, sent))


def side(held: Captures, key: str) -> Comparable:
    return next(one for one in sides(held) if one.key == key)


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
    view.show_sides(sides(HELD), "client_request#0", "upstream_request#1")
    loop.until(lambda: view.model.rowCount() > 0)
    told = {(change.kind, change.where) for change in view.model.changes}
    assert ("removed", "logprobs") in told and ("added", "max_tokens") in told
    assert "added" in view.summary.text() and "removed" in view.summary.text()
    view.list.setCurrentIndex(view.model.index(0))
    assert view.detail.isVisible()
    view.grab()


def test_any_two_legs_can_be_chosen(view: DiffView, loop: BoundLoop) -> None:
    view.show_sides(sides(HELD), "client_request#0", "upstream_request#1")
    assert [view.after.itemText(row) for row in range(view.after.count())] == [
        "Client request",
        "Upstream request, round 1",
        "Upstream response, round 1",
        "Client response",
        "Neutral: client request",
        "Neutral: upstream request, round 1",
        "Neutral: upstream response, round 1",
        "Neutral: client response",
    ]
    view.after.setCurrentIndex(0)
    loop.until(lambda: not view.summary.text() and view._none.isVisible())
    view.before.setCurrentIndex(2)
    loop.until(lambda: view.model.rowCount() > 0)


def test_what_cannot_be_compared_says_why(view: DiffView, loop: BoundLoop) -> None:
    broken = {**HELD, ("upstream_request", 1): Capture("upstream_request", 1, ((1.0, b"\xff\x00"),))}
    view.show_sides(sides(broken), "client_request#0", "upstream_request#1")
    loop.until(view._none.isVisible)
    found = compared(side(HELD, "client_request#0"), side(broken, "upstream_request#1"))
    assert found.problem.startswith("Upstream request, round 1") and found.changes == ()
    view.show_sides((), "", "")
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


def test_differences_that_are_recognised_are_told_in_words(view: DiffView, loop: BoundLoop) -> None:
    view.show_sides(sides(HELD), "client_request#0", "upstream_request#1")
    loop.until(lambda: view.model.rowCount() > 0)
    told = {str(meaning) for meaning in view.model.meanings if meaning is not None}
    assert {"setting dropped: logprobs", "setting added: max_tokens"} <= told
    assert "1 setting dropped" in view.summary.text()


def test_what_the_person_picked_stays_while_a_stream_grows(view: DiffView, loop: BoundLoop) -> None:
    view.show_sides(sides(HELD), "client_request#0", "upstream_request#1")
    view.after.setCurrentIndex(3)
    view.after.activated.emit(3)
    view.show_sides(sides(HELD), "client_request#0", "upstream_request#1")
    assert view.after.currentData() == "client_response#0"
    fewer = {key: capture for key, capture in HELD.items() if key[0] != "client_response"}
    view.show_sides(sides(fewer), "client_request#0", "upstream_request#1")
    assert view.after.currentData() == "upstream_request#1"
    loop.settle()


def test_with_room_both_forms_stand_beside_the_list_and_follow_it(view: DiffView, loop: BoundLoop) -> None:
    view.resize(1200, 500)
    view.show_sides(sides(HELD), "client_request#0", "upstream_request#1")
    loop.until(lambda: view.model.rowCount() > 0 and view.sides.before.is_loaded)
    assert view.is_wide and view.sides.isVisible()
    assert view.sides.before.accessibleName() == "Client request"
    row = next(row for row, change in enumerate(view.model.changes) if change.where == "logprobs")
    view.list.setCurrentIndex(view.model.index(row))
    assert view.sides.before.pointed > 0 and not view.detail.isVisible()
    view.resize(500, 500)
    assert view.detail.isVisible() and not view.sides.isVisible(), "with less, the values stand below"
