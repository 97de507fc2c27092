"""A difference is told by its meaning, to eyes and to assistive technology."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot

from callgate.core.json_diff import diff
from callgate.core.translation_words import meanings
from callgate.ui.theme import Theme
from callgate.ui.traffic.change_list import MEANING_ROLE, ChangeDelegate, ChangeModel

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
