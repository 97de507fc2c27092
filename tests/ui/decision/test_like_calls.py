"""Several waiting calls approved in one step: only those that were listed, each as it was shown."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, waiting
from tests.fakes.decision_stage import Stage

from callgate.core.calls.binding import BindingChange
from callgate.core.calls.invocation import Decision, Invocation, Settle, advance, shown_hash
from callgate.core.messages import ToolResult
from callgate.ui.bridge import Bridge
from callgate.ui.decision.like_calls import LikeCalls
from callgate.ui.theme.theme import Theme

LEFT = Qt.MouseButton.LeftButton


def call(number: int, path: str = "", **more: object) -> Invocation:
    one = waiting("read_file", {"path": path or f"src/{number}.py"}, id=f"inv_{number}")
    return replace(one, fingerprint="f", turn="e", **more)  # type: ignore[arg-type]


class Place:
    def __init__(self, qtbot: QtBot, console: FakeConsole, theme: Theme, bridge: Bridge, *, arm_ms: int = 0) -> None:
        self.console, self.bridge = console, bridge
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.like = LikeCalls(console, theme, "dialog", bridge, self.window, arm_ms=arm_ms)
        self.window.resize(640, 420)
        self.like.resize(620, 400)
        self.like.set_ready(True)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow, timeout=2000)
        self.told: list[tuple[int, int]] = []
        self.like.approved.connect(lambda count, late: self.told.append((count, late)))
        self.qtbot = qtbot

    def wait(self, *calls: Invocation) -> None:
        for one in calls:
            self.console.change(one)
        self.bridge.flush()
        self.like.show_invocation(calls[0])

    def open(self) -> None:
        QTest.mouseClick(self.like.open_button, LEFT)
        self.qtbot.waitUntil(lambda: not self.like._settle.isActive())

    @property
    def decided(self) -> list[tuple[str, str]]:
        return [(name, decision.shown) for name, decision, _ in self.console.decisions]


@pytest.fixture
def place(qtbot: QtBot, console: FakeConsole, theme: Theme, bridge: Bridge) -> Iterator[Place]:
    yield Place(qtbot, console, theme, bridge)


def test_nothing_is_offered_for_a_call_alone(place: Place) -> None:
    place.wait(call(1))
    assert place.like.isHidden()


def test_opening_the_list_decides_nothing_and_shows_each_call_its_hash_and_the_rule(place: Place) -> None:
    calls = [call(number) for number in (1, 2, 3)]
    place.wait(*calls)
    assert place.like.open_button.text() == "Approve 3 like this…"
    place.open()
    assert place.decided == []
    shown = " ".join(label.text() for label in place.like.panel.findChildren(QLabel))
    for one in calls:
        assert f'path: "src/{one.id[-1]}.py"' in shown and shown_hash(one)[:8] in shown
    assert "Nothing is remembered" in shown
    assert "allow read_file" in place.like.rule_line.text() and "next user message" in place.like.rule_line.text()


def test_one_press_approves_exactly_the_listed_ones_each_by_its_own_hash(place: Place) -> None:
    calls = [call(number) for number in (1, 2, 3)]
    odd = call(4, "src/4.py", change=BindingChange("waiting"))
    place.wait(*calls, odd)
    place.open()
    late = call(5)
    place.console.change(late)
    place.bridge.flush()
    assert [one.id for one in place.like.listed] == ["inv_1", "inv_2", "inv_3"]
    QTest.mouseClick(place.like.approve, LEFT)
    assert place.decided == [(one.id, shown_hash(one)) for one in calls]
    assert all(decision == Decision("approve", shown=decision.shown) for _, decision, _ in place.console.decisions)
    assert place.told == [(3, 0)]
    assert {one.id for one in place.console.waiting()} == {"inv_4", "inv_5"}


def test_a_call_that_changes_under_the_list_leaves_it_and_the_button_arms_anew(
    qtbot: QtBot, console: FakeConsole, theme: Theme, bridge: Bridge
) -> None:
    place = Place(qtbot, console, theme, bridge, arm_ms=60)
    place.wait(call(1), call(2), call(3))
    place.open()
    qtbot.waitUntil(place.like.approve.isEnabled)
    console.change(replace(call(2), arguments='{"path":"/etc/shadow"}'))
    bridge.flush()
    assert [one.id for one in place.like.listed] == ["inv_1", "inv_3"]
    assert not place.like.approve.isEnabled()
    QTest.mouseClick(place.like.approve, LEFT)
    assert place.decided == []


def test_a_change_that_the_window_has_not_heard_of_yet_is_refused_by_its_hash(place: Place) -> None:
    place.wait(call(1), call(2), call(3))
    place.open()
    place.console.waiting_calls["inv_2"] = replace(call(2), arguments='{"path":"/etc/shadow"}')
    QTest.mouseClick(place.like.approve, LEFT)
    assert place.told == [(2, 1)]
    assert [one.id for one in place.console.waiting()] == ["inv_2"]


def test_one_that_was_decided_elsewhere_leaves_the_list_and_a_list_of_one_closes(place: Place) -> None:
    place.wait(call(1), call(2))
    place.open()
    denied = Settle(ToolResult("call_2", (), is_error=True), "Denied", "person")
    place.console.change(advance(call(2), denied, 1.0))
    place.bridge.flush()
    assert place.like.listed == () and place.like.isHidden()


def test_a_long_list_has_to_be_scrolled_to_its_end_first(place: Place) -> None:
    calls = [call(number) for number in range(1, 41)]
    place.wait(*calls)
    place.open()
    assert place.like.approve.text() == "Show the rest"
    presses = 0
    while place.like.approve.text() == "Show the rest":
        QTest.mouseClick(place.like.approve, LEFT)
        presses += 1
        assert presses < 40
    assert place.decided == []
    bar = place.like.scroll_area.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    QTest.mouseClick(place.like.approve, LEFT)
    assert len(place.decided) == 40


def test_nothing_is_approved_where_the_call_is_not_up_for_decision(place: Place) -> None:
    place.wait(call(1), call(2))
    place.like.set_ready(False)
    place.open()
    assert place.like.listed == ()
    place.like.set_ready(True)
    place.open()
    place.like.set_ready(False)
    QTest.mouseClick(place.like.approve, LEFT)
    assert place.decided == []


def test_another_call_closes_the_list(place: Place) -> None:
    place.wait(call(1), call(2), call(3))
    place.open()
    place.like.show_invocation(call(2))
    assert place.like.listed == () and place.like.open_button.isVisible()


def test_the_bar_offers_it_only_while_its_call_could_be_approved(
    qtbot: QtBot, console: FakeConsole, theme: Theme
) -> None:
    stage = Stage(qtbot, console, theme)
    console.change(call(2))
    stage.wait(call(1))
    found = stage.bar.findChild(LikeCalls, "likeCalls")
    assert found is not None and found.isVisible() and found.open_button.isEnabled()
    stage.bar.set_seen(False)
    assert not found.open_button.isEnabled(), "the call itself has not been on the screen to its end"
    stage.bar.set_seen(True)
    stage.click("denyButton")
    assert not found.isVisible()


def test_the_bar_is_done_with_its_call_after_the_step(qtbot: QtBot, console: FakeConsole, theme: Theme) -> None:
    stage = Stage(qtbot, console, theme)
    console.change(call(2))
    stage.wait(call(1))
    decided: list[str] = []
    stage.bar.decided.connect(lambda name, verb: decided.append(name))
    found = stage.bar.findChild(LikeCalls, "likeCalls")
    assert found is not None
    QTest.mouseClick(found.open_button, LEFT)
    qtbot.waitUntil(lambda: not found._settle.isActive())
    QTest.mouseClick(found.approve, LEFT)
    assert decided == ["inv_1"] and stage.label("decisionStatus") == "Approved 2."
    assert not stage.button("approveButton").isEnabled()
