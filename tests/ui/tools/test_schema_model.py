from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from callgate.ui.tools.schema_model import SchemaModel, SchemaRole
from callgate.ui.tools.schema_rows import SchemaRow, schema_rows

ROWS = (
    SchemaRow("filter", 0, "object", True, "Which."),
    SchemaRow("since", 1, "string", False, "", ("format date",)),
    SchemaRow("by", 1, "object", False, ""),
    SchemaRow("name", 2, "string", True, ""),
    SchemaRow("limit", 0, "integer", False, ""),
)


class ModelTester(Protocol):
    def check(self, model: SchemaModel, force_py: bool = ...) -> None: ...


def test_an_empty_and_a_filled_model_are_sound(qapp: QApplication, qtmodeltester: ModelTester) -> None:
    model = SchemaModel()
    qtmodeltester.check(model)
    model.show_rows(ROWS)
    qtmodeltester.check(model)
    model.show_rows(())
    assert model.rowCount() == 0


def test_nested_rows_stand_under_their_parents_with_their_paths(qapp: QApplication) -> None:
    model = SchemaModel()
    model.show_rows(ROWS)
    top = model.index(0, 0)
    by = model.index(1, 0, top)
    assert (model.rowCount(), model.rowCount(top), model.rowCount(by)) == (2, 2, 1)
    assert model.index(0, 0, by).data(SchemaRole.PATH) == "filter.by.name"
    said = model.index(0, 0, top).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "filter.since, string, optional, format date"


def test_a_real_schema_keeps_its_shape(qapp: QApplication) -> None:
    model = SchemaModel()
    inner = {"type": "object", "properties": {"x": {"type": "string"}}}
    model.show_rows(schema_rows({"type": "object", "properties": {"a": {"type": "array", "items": inner}, "b": {}}}))
    assert model.rowCount() == 2 and model.index(0, 0, model.index(0, 0)).data() == "x"
