"""One call is up in one place, and it is the one the person works in."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSettings
from pytestqt.qtbot import QtBot

from callgate.ui.approvals.dialog import put_beside
from callgate.ui.decision.decision import DecisionBar
from callgate.ui.decision.places import DecisionPlaces, PlaceName


class FakePlace:
    """A place that a person sees, or not."""

    def __init__(self, *, visible: bool = True) -> None:
        self.visible, self.live, self.where = visible, "", ""
        self.brought = ""

    def shows(self, invocation_id: str) -> bool:
        return self.visible

    def set_live(self, invocation_id: str, where: str) -> None:
        self.live, self.where = invocation_id, where

    def bring_up(self, invocation_id: str) -> None:
        self.brought = invocation_id

    def bar_of(self, invocation_id: str) -> DecisionBar | None:
        return None


class Scene:
    def __init__(self, settings: QSettings | None = None) -> None:
        self.places = DecisionPlaces(settings)
        self.all: dict[PlaceName, FakePlace] = {"dialog": FakePlace(), "card": FakePlace(), "queue": FakePlace()}
        for name, place in self.all.items():
            self.places.register(name, place)

    @property
    def live(self) -> list[tuple[str, str]]:
        return [(name, place.live) for name, place in self.all.items() if place.live]


@pytest.fixture
def scene(qtbot: QtBot) -> Scene:
    return Scene()


def test_the_oldest_is_up_in_the_dialog_and_nowhere_else(scene: Scene) -> None:
    moves: list[tuple[str, str]] = []
    scene.places.moved.connect(lambda *words: moves.append(words))
    scene.places.set_waiting(["a", "b"], began=True)
    assert scene.live == [("dialog", "a")] and scene.places.dialog_wanted
    scene.places.set_waiting(["b"])
    assert scene.live == [("dialog", "b")]
    scene.places.set_waiting([])
    assert scene.live == [] and not scene.places.dialog_wanted
    assert moves == [("dialog", "a"), ("dialog", "b"), ("dialog", "")]


def test_a_place_takes_it_over_until_that_call_is_decided(scene: Scene) -> None:
    scene.places.set_waiting(["a", "b"], began=True)
    scene.places.take("card", "b")
    assert scene.live == [("card", "b")] and not scene.places.dialog_wanted
    scene.places.set_waiting(["a", "b", "c"], began=True)
    assert scene.live == [("card", "b")], "another call does not take it away"
    scene.places.set_waiting(["a", "c"])
    assert scene.live == [("dialog", "a")]
    scene.places.take("queue", "gone")
    assert scene.live == [("dialog", "a")]


def test_a_card_that_scrolls_away_gives_it_back(scene: Scene) -> None:
    scene.places.set_waiting(["a"], began=True)
    scene.places.take("card", "a")
    scene.all["card"].visible = False
    scene.places.settle()
    assert scene.live == [("dialog", "a")]


def test_the_queue_is_the_place_while_one_works_there(scene: Scene) -> None:
    scene.places.set_waiting(["a", "b"], began=True)
    scene.places.entered_queue()
    assert scene.live == [("queue", "a")]
    scene.places.turned("queue", "b")
    assert scene.live == [("queue", "b")]
    scene.places.left("queue")
    assert scene.live == [("dialog", "b")]


def test_a_closed_dialog_leaves_it_to_what_can_be_seen_until_another_call_comes(scene: Scene) -> None:
    scene.places.set_waiting(["a"], began=True)
    scene.places.left("dialog")
    assert scene.live == [("card", "a")] and not scene.places.dialog_wanted
    scene.all["card"].visible = False
    scene.places.settle()
    assert scene.live == [("queue", "a")]
    scene.places.set_waiting(["a", "b"], began=True)
    assert scene.live == [("dialog", "a")] and scene.places.dialog_wanted


@pytest.mark.parametrize("how", ["quiet", "asleep"])
def test_no_dialog_comes_up_for_what_is_to_be_quiet_but_it_can_be_asked_for(scene: Scene, how: str) -> None:
    scene.places.set_quiet(how == "quiet")
    scene.places.set_waiting(["a"], ["a"] if how == "asleep" else [], began=True)
    assert scene.live == [("card", "a")]
    scene.all["card"].visible = scene.all["queue"].visible = False
    scene.places.settle()
    assert not scene.places.dialog_wanted
    scene.places.bring_up()
    assert scene.all["dialog"].brought == "a"


def test_walking_and_the_oldest(scene: Scene) -> None:
    scene.places.set_waiting(["a", "b", "c"], began=True)
    for by, now in ((1, "b"), (1, "c"), (1, "c"), (-1, "b")):
        scene.places.walk(by)
        assert scene.live == [("dialog", now)]
    scene.places.go_to_oldest()
    assert scene.live == [("dialog", "a")] and scene.all["dialog"].brought == "a"


def test_where_to_ask_is_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    stage = Scene(settings)
    stage.places.set_waiting(["a"], began=True)
    stage.places.set_where("queue")
    assert stage.live == [("queue", "a")]
    settings.setValue("decision/where", "nonsense")
    assert DecisionPlaces(settings).where == "dialog"


ROOM = QRect(0, 0, 1600, 1000)


@pytest.mark.parametrize(
    "card",
    [QRect(), QRect(500, 300, 600, 250), QRect(0, 0, 800, 1000), QRect(0, 0, 1600, 400), QRect(20, 600, 900, 390)],
)
def test_the_dialog_never_covers_its_card(card: QRect) -> None:
    size = QRect(480, 300, 640, 400)
    put = QRect(put_beside(size, card, ROOM), size.size())
    assert not put.intersects(card) and ROOM.contains(put)


def test_without_room_beside_the_card_it_stays_on_the_screen() -> None:
    put = put_beside(QRect(1500, 900, 640, 400), ROOM, ROOM)
    assert ROOM.contains(QRect(put, QRect(0, 0, 640, 400).size()))
