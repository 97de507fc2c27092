from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from pytestqt.modeltest import ModelTester

from callgate.ui.widgets.named_rows import NamedRows


@dataclass(frozen=True)
class Thing:
    name: str
    state: str = ""


class Things(NamedRows[Thing]):
    def shown(self, view: Thing, role: int) -> object:
        return f"{view.name} {view.state}".strip() if role == Qt.ItemDataRole.DisplayRole else None


def rows(model: Things) -> list[object]:
    return [model.index(row).data() for row in range(model.rowCount())]


def things(names: str) -> list[Thing]:
    return [Thing(name) for name in names]


def test_rows_follow_what_there_is_in_any_order(qtmodeltester: ModelTester) -> None:
    model = Things()
    qtmodeltester.check(model)
    for names in ("abc", "ac", "", "cab", "bxca", "b"):
        model.set_views(things(names))
        assert rows(model) == list(names)


def test_a_row_that_stays_is_not_touched_and_one_that_changed_says_so(qtmodeltester: ModelTester) -> None:
    model = Things()
    qtmodeltester.check(model)
    model.set_views(things("ab"))
    kept = QPersistentModelIndex(model.index(1))
    changed: list[int] = []
    model.dataChanged.connect(lambda first, last: changed.append(first.row()))
    model.set_views([Thing("x"), Thing("a"), Thing("b", "ready")])
    assert kept.row() == 2 and kept.data() == "b ready"
    assert changed == [2]


def test_rows_are_found_by_name() -> None:
    model = Things()
    model.set_views(things("ab"))
    assert (model.row_of("b"), model.row_of("z")) == (1, -1)
    assert model.view_at(0) == Thing("a") and model.view_at(7) is None
    assert model.data(QModelIndex()) is None
