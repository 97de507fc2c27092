"""A difference is told by its meaning, to eyes and to assistive technology."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot

from callgate.core.json.diff import diff
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.change_list import MEANING_ROLE, ChangeDelegate, ChangeModel, in_words
from callgate.ui.traffic.inspector.translation_words import meanings

CHANGES = diff({"logprobs": True, "x": {"y": {"z": 1}}}, {"x": {"y": {"z": 2}}})


def test_the_meaning_is_spoken_first(qapp: QApplication) -> None:
    model = ChangeModel()
    model.set_changes(CHANGES, meanings(CHANGES))
    spoken = [model.index(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]
    assert spoken == ["setting dropped: logprobs, removed logprobs: true", "changed x.y.z: 1  →  2"]
    assert model.index(1).data(MEANING_ROLE) is None


def test_both_kinds_of_line_can_be_drawn(qtbot: QtBot, theme: Theme) -> None:
    view, model = QListView(), ChangeModel()
    qtbot.addWidget(view)
    model.set_changes(CHANGES, meanings(CHANGES))
    view.setModel(model)
    view.setItemDelegate(ChangeDelegate(theme, view))
    view.resize(400, 120)
    view.show()
    first = view.grab().toImage()
    model.set_changes(CHANGES)
    assert view.grab().toImage() != first, "without its meaning a line looks otherwise"


def test_of_two_long_values_the_part_that_differs_is_told() -> None:
    start = "look_up_the_weather_in_a_city_of_the_world_by_its_name"
    (change,) = diff({"name": f"{start}_and_by_its_country"}, {"name": f"{start}__60229f66"})
    assert in_words(change) == '…by_its_name_and_by_its_country"  →  …by_its_name__60229f66"'
    (short,) = diff({"name": "files.read"}, {"name": "files_read"})
    assert in_words(short) == '"files.read"  →  "files_read"'
