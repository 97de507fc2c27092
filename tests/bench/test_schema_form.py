"""A form for a schema of two thousand properties: built, filled, searched and replaced without a stall."""

import time
from collections.abc import Callable
from typing import Any, Final

import pytest
from PySide6.QtWidgets import QApplication, QScrollArea

from callgate.ui.schema_form.form import SchemaForm
from callgate.ui.schema_form.object_field import ObjectField
from callgate.ui.theme.theme import Theme

pytestmark = pytest.mark.bench

STALL_MS: Final = 50
KINDS: Final[tuple[tuple[dict[str, Any], Any], ...]] = (
    ({"type": "string", "description": "Some words about it that may well take more than one line."}, "x"),
    ({"type": "integer", "minimum": 1}, 5),
    ({"type": "boolean"}, True),
    ({"enum": ["one", "two", "three", "four", "five"]}, "two"),
    ({"type": "array", "items": {"type": "string"}}, ["q"]),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
)


class Stalls:
    """The longest that the loop was busy at a stretch, in processor time: other programs don't count."""

    def __init__(self) -> None:
        self.worst: dict[str, float] = {}

    def step(self, name: str, work: Callable[[], object]) -> None:
        spent = [self._timed(work)]
        for _ in range(80):
            spent.append(self._timed(QApplication.processEvents))
        self.worst[name] = max(self.worst.get(name, 0.0), 1000 * max(spent))

    def _timed(self, work: Callable[[], object]) -> float:
        before = time.process_time()
        work()
        return time.process_time() - before


def test_two_thousand_properties_never_stall_the_window(qapp: QApplication, capsys: pytest.CaptureFixture[str]) -> None:
    theme = Theme()
    theme.apply(qapp)
    count = 2000
    schema = {"type": "object", "properties": {f"field_{n}": KINDS[n % 6][0] for n in range(count)}}
    value = {f"field_{n}": KINDS[n % 6][1] for n in range(count)}
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.resize(500, 800)
    area.show()
    SchemaForm({"type": "object", "properties": {"warm": {"type": "string"}}}, theme)
    stalls = Stalls()
    forms: list[SchemaForm] = []

    def build() -> None:
        forms.append(SchemaForm(schema, theme))

    for _ in range(2):
        stalls.step("build", build)
        form = forms[-1]
        if len(forms) > 1:
            area.takeWidget()
            stalls.step("retire", forms[-2].retire)
        stalls.step("show", lambda form=form: area.setWidget(form))
        stalls.step("fill", lambda form=form: form.set_value(value))
        field = form.at(()).field  # type: ignore[union-attr]
        assert isinstance(field, ObjectField)
        stalls.step("search", lambda field=field: field.search.setText("field_19"))
        stalls.step("clear", field.search.clear)
        stalls.step("more", field.more.click)
        assert form.is_settled
        assert form.value() == value
    with capsys.disabled():
        print("\nlongest stall, ms:", {name: round(ms, 1) for name, ms in stalls.worst.items()})
    assert max(stalls.worst.values()) < STALL_MS, stalls.worst
