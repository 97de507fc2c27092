"""Columns hold what rows hold, however they are filled."""

from tests.fakes.samples import sample_conversation
from tests.fakes.traffic import afternoon

from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.traffic.row_columns import TEXT, RowColumns


def all_rows() -> list[TrafficRow]:
    fold = ExchangeFold()
    fold.apply_all([*afternoon(20), *sample_conversation()])
    return [row for group in fold.groups.values() for row in group]


ROWS = all_rows()


def test_every_column_is_what_the_rows_say() -> None:
    columns = RowColumns(ROWS)
    for field in ("tool", "agent", "args.path", "result.text", "result.lines", "args.none.deeper"):
        assert columns.at(field, range(len(ROWS))) == [row.values(field) for row in ROWS]
    assert columns.at(TEXT, range(len(ROWS))) == [row.text() for row in ROWS]


def test_columns_are_filled_as_far_as_they_are_asked_for() -> None:
    columns = RowColumns(ROWS)
    assert columns.at("tool", range(3, 5)) == [row.values("tool") for row in ROWS[3:5]]
    assert columns.filled("tool") == 5
    assert columns.at("tool", [1, 7]) == [ROWS[1].values("tool"), ROWS[7].values("tool")]
    assert columns.at("tool", []) == []
    columns.fill("tool", len(ROWS))
    assert columns.filled("tool") == len(columns) == len(ROWS)


def test_the_different_values_of_a_field_are_told() -> None:
    assert "codex" in RowColumns(ROWS).values("agent") and RowColumns().values("agent") == set()
