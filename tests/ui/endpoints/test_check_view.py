import pytest
from pytestqt.qtbot import QtBot

from callgate.engine.endpoints.endpoint_service import Examination
from callgate.ui.endpoints.check_view import CheckView, listed
from callgate.ui.theme.theme import Theme


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def view(theme: Theme, qtbot: QtBot, clock: Clock) -> CheckView:
    view = CheckView(theme, now=clock)
    qtbot.addWidget(view)
    return view


def test_it_takes_no_room_until_there_is_something_to_say(view: CheckView) -> None:
    assert view.isHidden()
    view.begin("mine")
    assert not view.isHidden() and view.is_running and "mine is asked" in view.words.text()


def test_time_is_counted_while_one_waits(view: CheckView, clock: Clock, qtbot: QtBot) -> None:
    view.begin("mine")
    clock.now += 7
    qtbot.waitUntil(lambda: "7" in view._time.text(), timeout=2000)


def test_a_finding_is_shown_with_its_models(view: CheckView) -> None:
    view.begin("mine")
    view.show_finding(Examination("reached", "It answers <b>.", ("gpt-5", "tts"), 1, 0.4), ("gpt-*",))
    assert not view.is_running and view.title.text() == "Reached"
    assert view.words.text() == "It answers <b>."
    assert view.models.toPlainText().splitlines() == ["gpt-5", "— outside the patterns:", "tts"]
    view.show_finding(Examination("unreachable", "Nobody listens."))
    assert view.models.isHidden() and view.title.text() == "Nobody listens"


def test_a_stopped_check_says_so_and_a_finished_one_stays(view: CheckView) -> None:
    view.begin("mine")
    view.stop()
    assert view.words.text() == "The check was stopped."
    view.show_finding(Examination("reached", "Done."))
    view.stop()
    assert view.words.text() == "Done."


def test_models_are_told_apart_only_where_there_are_others() -> None:
    assert listed(("a", "b"), ("*",)) == "a\nb"
    assert listed(("a",), ("x*",)) == "— outside the patterns:\na"
    assert listed((), ("*",)) == ""
