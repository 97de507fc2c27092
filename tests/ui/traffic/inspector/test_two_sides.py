"""Both sides stand on the same height, scroll as one, and lead to a difference by its place."""

from pytestqt.qtbot import QtBot

from callgate.core.messages import Json
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.json_sides import sides
from callgate.ui.traffic.inspector.two_sides import MOST_ROWS, TwoSides


def shown(qtbot: QtBot, theme: Theme, before: Json, after: Json) -> TwoSides:
    view = TwoSides(theme)
    qtbot.addWidget(view)
    view.resize(700, 200)
    view.show()
    view.show_rows(tuple(sides(before, after)), ("Client request", "Upstream request"))
    qtbot.waitUntil(lambda: view.before.is_loaded and view.after.is_loaded)
    return view


def test_what_differs_stands_on_the_same_height(qtbot: QtBot, theme: Theme) -> None:
    view = shown(qtbot, theme, {"a": 1, "gone": 2, "name": "x.y"}, {"a": 1, "name": "x_y", "new": 3})
    left, right = view.before.rows, view.after.rows
    assert len(left) == len(right) == view.before.blockCount() == view.after.blockCount()
    pairs = {
        (one.kind, other.kind): (one.text.strip(), other.text.strip()) for one, other in zip(left, right, strict=True)
    }
    assert pairs["removed", "plain"] == ('"gone": 2', "")
    assert pairs["plain", "added"] == ("", '"new": 3')
    assert pairs["removed", "added"] == ('"name": "x.y"', '"name": "x_y"')
    assert view.before.accessibleName() == "Client request" and not view.grab().isNull()


def test_a_difference_is_brought_into_sight_on_both_sides(qtbot: QtBot, theme: Theme) -> None:
    before: dict[str, Json] = {f"k{n}": n for n in range(400)}
    view = shown(
        qtbot, theme, before, {key: -value if isinstance(value, int) else value for key, value in before.items()}
    )
    assert view.point_at("k300")
    assert view.before.verticalScrollBar().value() == view.after.verticalScrollBar().value() > 200
    assert view.before.pointed == view.after.pointed > 200 and not view.grab().isNull()
    assert not view.point_at("nowhere") and view.before.pointed == -1


def test_a_word_that_differs_far_to_the_right_is_brought_into_sight(qtbot: QtBot, theme: Theme) -> None:
    view = shown(qtbot, theme, {"name": "look_up_" * 30 + "old"}, {"name": "look_up_" * 30 + "new"})
    assert view.point_at("name")
    assert view.before.horizontalScrollBar().value() == view.after.horizontalScrollBar().value() > 0


def test_a_flood_of_differences_ends_somewhere_and_says_so(qtbot: QtBot, theme: Theme) -> None:
    view = shown(qtbot, theme, list(range(MOST_ROWS + 10)), [str(n) for n in range(MOST_ROWS + 10)])
    assert view.before.blockCount() == view.after.blockCount() == MOST_ROWS + 1
    assert view.after.rows[-1].text.startswith("⋯ more lines")
