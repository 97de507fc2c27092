from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot
from tests.fakes.endpoint_service import DEMO
from tests.ui.endpoints.views import FILED, KEYLESS, MINE

from callgate.ui.endpoints.endpoint_list import EndpointList
from callgate.ui.endpoints.list_model import EndpointModel, EndpointRole
from callgate.ui.theme.theme import Theme


def test_the_model_holds_from_empty_to_full_and_back(qtmodeltester: ModelTester) -> None:
    model = EndpointModel()
    qtmodeltester.check(model)
    for views in ((FILED, MINE, DEMO), (MINE, KEYLESS, FILED), (DEMO,), (), (KEYLESS, replace(DEMO, models=("x",)))):
        model.set_views(views)
        assert [model.index(row).data(EndpointRole.VIEW) for row in range(model.rowCount())] == list(views)
        qtmodeltester.check(model)


def test_a_row_is_said_in_full_to_who_cannot_see_it() -> None:
    model = EndpointModel()
    model.set_views((FILED,))
    said = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    for words in ("openai", "Reached", "the default", "OpenAI Chat", "gpt-*", "OPENAI_API_KEY", "configuration file"):
        assert words in said


@pytest.fixture
def listed(theme: Theme, qtbot: QtBot) -> EndpointList:
    listed = EndpointList(theme)
    qtbot.addWidget(listed)
    listed.resize(280, 400)
    listed.show()
    return listed


def test_who_has_only_the_demo_model_has_chosen_nothing(listed: EndpointList) -> None:
    listed.set_views((DEMO,))
    assert listed.current is None
    listed.set_views((FILED, MINE, DEMO))
    assert listed.current == FILED


def test_a_choice_stays_when_views_change(listed: EndpointList) -> None:
    listed.set_views((FILED, MINE, DEMO))
    assert listed.choose("mine") and not listed.choose("nobody")
    listed.set_views((FILED, replace(MINE, checking=True), DEMO))
    assert listed.current is not None and listed.current.checking


def test_keys_walk_edit_and_remove(listed: EndpointList) -> None:
    heard: list[str] = []
    listed.remove_requested.connect(lambda: heard.append("remove"))
    listed.edit_requested.connect(lambda: heard.append("edit"))
    listed.selected.connect(heard.append)
    listed.set_views((FILED, MINE, DEMO))
    QTest.keyClick(listed, Qt.Key.Key_J)
    QTest.keyClick(listed, Qt.Key.Key_K)
    QTest.keyClick(listed, Qt.Key.Key_K)
    QTest.keyClick(listed, Qt.Key.Key_Delete)
    QTest.keyClick(listed, Qt.Key.Key_Return)
    QTest.keyClick(listed, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert heard == ["openai", "mine", "openai", "remove", "edit"]


def test_a_right_click_chooses_what_it_is_about(listed: EndpointList) -> None:
    places: list[QPoint] = []
    listed.menu_requested.connect(places.append)
    listed.set_views((FILED, MINE))
    second = listed.visualRect(listed.rows.index(1)).center()
    listed.customContextMenuRequested.emit(second)
    assert listed.current == MINE and len(places) == 1
    listed.customContextMenuRequested.emit(QPoint(10, 390))
    assert len(places) == 1


def test_it_is_drawn_with_words_in_both_themes(listed: EndpointList, theme: Theme) -> None:
    listed.set_views((FILED, KEYLESS, DEMO))
    dark = listed.grab().toImage()
    theme.set_mode("light")
    assert listed.grab().toImage() != dark
