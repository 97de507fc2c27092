"""What could come next is offered, and nothing else."""

import pytest

from callgate.core.rules.match import parse
from callgate.ui.traffic.filter_field import complete


def values_of(field: str) -> list[str]:
    return {"tool": ["read_file", "run_command", "run tests"], "status": ["completed", "failed"]}.get(field, [])


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("to", ("tool:", "tokens>")),
        ("st", ("status:", "state:")),
        ("ar", ("args.",)),
        ("dur>1s and ag", ("agent:",)),
        ("not (mo", ("model:",)),
        ("tool:ru", ("run_command",)),
        ("tool:", ("read_file", "run_command", '"run tests"')),
        ("status=f", ("failed",)),
    ],
)
def test_names_and_values_are_offered(text: str, offered: tuple[str, ...]) -> None:
    found = complete(text, len(text), values_of)
    assert found is not None and found.choices == offered


@pytest.mark.parametrize("text", ["", "xyz", "tool:run_*", "tool:run_command", "dur>", '"to', "command", "tool:run "])
def test_nothing_is_offered_where_nothing_fits(text: str) -> None:
    assert complete(text, len(text), values_of) is None


def test_a_choice_replaces_what_was_begun() -> None:
    text = "dur>1s and to or x"
    found = complete(text, 13, values_of)
    assert found is not None
    parse(text[: found.start] + "tool:x" + text[13:])
