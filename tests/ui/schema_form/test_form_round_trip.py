"""A valid value put into the form comes out unchanged, and an invalid one is marked at the right field.

Random schemas, two hundred in a full run, judged by another validator than the form's own.
"""

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from tests.depth import examples
from tests.fakes.schemas import DESCRIBED

from callgate.core.messages import Json
from callgate.core.schema.form_value import same
from callgate.ui.schema_form.form import SchemaForm
from callgate.ui.theme.theme import Theme

pytestmark = pytest.mark.timeout(240)
"""In a full run two hundred forms are built twice: half a minute, and more on a busy machine."""
RANDOM_FORMS = settings(
    max_examples=examples(200), deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
WRONG: tuple[Json, ...] = ({"unexpected": []}, "not this", 10**30, 0.5, None, True, [[]])


@pytest.fixture(scope="module")
def theme(qapp: QApplication) -> Theme:
    return Theme()


def filled(schema: dict[str, Any], value: Json, theme: Theme) -> SchemaForm:
    form = SchemaForm(schema, theme)
    form.set_value(value)
    form.settle()
    return form


@RANDOM_FORMS
@given(st.data())
def test_a_valid_value_comes_out_as_it_went_in(theme: Theme, data: st.DataObject) -> None:
    schema, value = data.draw(DESCRIBED)
    assume(jsonschema.Draft202012Validator(schema).is_valid(value))
    form = filled(schema, value, theme)
    assert same(form.value(), value)
    assert list_of_keys(form.value()) == list_of_keys(value)
    form.reread()  # what the widgets themselves hold, not only what they were given
    assert same(form.value(), value)
    assert form.problems() == ()
    form.deleteLater()


@RANDOM_FORMS
@given(st.data())
def test_an_invalid_value_is_kept_and_marked_at_the_right_field(theme: Theme, data: st.DataObject) -> None:
    schema, value = data.draw(DESCRIBED)
    assume(jsonschema.Draft202012Validator(schema).is_valid(value))
    paths = [path for path, _ in walk(value) if path]
    assume(paths)
    path = data.draw(st.sampled_from(paths))
    broken = replaced(value, path, data.draw(st.sampled_from(WRONG)))
    expected = list(jsonschema.Draft202012Validator(schema).iter_errors(broken))
    assume(expected)
    form = filled(schema, broken, theme)
    form.set_strict(True)
    form.settle()
    assert same(form.value(), broken)
    form.reread()
    assert same(form.value(), broken)
    marked = [problem.path for problem in form.problems()]
    for error in expected:
        where = tuple(error.absolute_path)
        assert any(found[: len(where)] == where for found in marked), (where, marked)
    for found in marked:
        assert any(found[: len(error.absolute_path)] == tuple(error.absolute_path) for error in expected)
        assert says_so(form, found), f"nothing is shown at {found}"
    spared = [path for path, _ in walk(broken) if not any(path == found[: len(path)] for found in marked)]
    assert not any(complaint(form, path) for path in spared), "a field is marked that nothing is wrong with"
    form.deleteLater()


def test_a_field_that_the_shown_shape_does_not_have_is_named_by_its_object(theme: Theme) -> None:
    told = {"type": "object", "properties": {"tell": {"const": "k0"}}, "required": ["tell"]}
    other = {"type": "object", "properties": {"n": {"type": "string"}}, "required": ["n"]}
    form = filled(
        {"type": "object", "properties": {"b": {"anyOf": [told, {"allOf": [other]}]}}}, {"b": {"x": 1}}, theme
    )
    form.set_strict(True)
    form.settle()
    assert form.problems()
    assert all(says_so(form, problem.path) for problem in form.problems())


def complaint(form: SchemaForm, path: tuple[str | int, ...]) -> str:
    place = form.at(path)
    return place.complaint if place is not None else ""


def says_so(form: SchemaForm, path: tuple[str | int, ...]) -> bool:
    """The field itself says what is wrong, or the raw field that it stands in; or the object that has no such field."""
    for length in range(len(path), -1, -1):
        place = form.at(path[:length])
        if place is not None:
            return bool(place.complaint) or (length < len(path) and names(place, str(path[length])))
    return False


def names(place: QWidget, missing: str) -> bool:
    notes = place.findChildren(QLabel, "otherFieldsProblem")
    return any(not note.isHidden() and f"{missing}: " in note.text() for note in notes)


def walk(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, below in inner:
        yield from walk(below, (*path, step))


def replaced(value: Any, path: tuple[str | int, ...], new: Json) -> Any:
    if not path:
        return new
    if isinstance(value, dict):
        return {key: replaced(one, path[1:], new) if key == path[0] else one for key, one in value.items()}
    return [replaced(one, path[1:], new) if index == path[0] else one for index, one in enumerate(value)]


def list_of_keys(value: Json) -> list[list[str]]:
    return [list(one) for _, one in walk(value) if isinstance(one, dict)]
