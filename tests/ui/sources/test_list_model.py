from dataclasses import replace

from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from callgate.engine.sources.source_service import SourceView
from callgate.ui.sources.list_model import SourceModel, SourceRole

A = SourceView("a", "mcp", "config", "ready", tools=2)
B = SourceView("b", "command", "added", "ready")
C = SourceView("c", "mcp", "added", "failed", "it broke")


def names(model: SourceModel) -> list[str]:
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def test_rows_come_go_and_change_without_a_reset(qtmodeltester: ModelTester) -> None:
    model = SourceModel()
    qtmodeltester.check(model)
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    model.set_views([A, C])
    model.set_views([A, B, C])
    changed: list[int] = []
    model.dataChanged.connect(lambda first, last: changed.append(first.row()))
    model.set_views([A, replace(B, state="off"), C])
    assert (changed, names(model)) == ([1], ["a", "b", "c"])
    model.set_views([C, A])
    assert names(model) == ["c", "a"]
    assert (model.row_of("a"), model.row_of("nobody"), resets) == (1, -1, [])


def test_a_row_is_read_out_with_state_and_reason() -> None:
    model = SourceModel()
    model.set_views([C])
    said = str(model.index(0).data(Qt.ItemDataRole.AccessibleTextRole))
    assert "c, Failed" in said and "it broke" in said
    assert model.index(0).data(SourceRole.VIEW) == C
