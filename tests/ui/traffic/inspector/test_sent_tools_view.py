"""The tools of a round are listed by where they came from, with what happened to each."""

from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from callgate.core.catalog.left_out import LeftOut
from callgate.core.catalog.sent_tools import SentTools, sent_tools
from callgate.core.tool import ToolSpec
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.sent_tools_view import SentToolsView, in_words

OWN, ADDED = ToolSpec("own", "Mine", {"type": "object", "title": "X"}), ToolSpec("added", "Ours", {"type": "object"})
TOLD = sent_tools(
    (OWN,),
    (OWN, ADDED),
    (ToolSpec("own", "Mine", {"type": "object"}), ADDED),
    (LeftOut("switched off", "git", ("push", "pull"), 70), LeftOut("nobody asked", total=4)),
    ("seed can't be told",),
)


def texts(view: SentToolsView) -> dict[str, list[str]]:
    tops = [view.tree.topLevelItem(row) for row in range(view.tree.topLevelItemCount())]
    return {
        top.text(0): [f"{top.child(n).text(0)} | {top.child(n).text(1)}" for n in range(top.childCount())]
        for top in tops
    }


def test_every_tool_stands_under_its_origin(qtbot: QtBot, theme: Theme) -> None:
    view = SentToolsView(theme)
    qtbot.addWidget(view)
    view.show_tools(TOLD)
    assert texts(view) == {
        "From the client": ["own | dropped title"],
        "Added by Callgate": ["added | sent as it is"],
        "Left out by Callgate": ["git · 70 tools | switched off", "every source · 4 tools | nobody asked"],
    }
    assert view.summary.text() == "1 from the client, 1 added by Callgate, 74 left out: 2 reached the provider."
    assert view.warnings.text() == "seed can't be told"
    git = view.tree.topLevelItem(2).child(0)
    assert [git.child(n).text(0) for n in range(git.childCount())] == ["push", "pull", "… and 68 more"]
    theme.set_mode("light")
    assert view.tree.topLevelItemCount() == 3


def test_a_chosen_tool_shows_both_definitions(qtbot: QtBot, theme: Theme) -> None:
    view = SentToolsView(theme)
    qtbot.addWidget(view)
    view.show()
    view.show_tools(TOLD)
    view.tree.setCurrentItem(view.tree.topLevelItem(0).child(0))
    qtbot.waitUntil(lambda: "\nSent" in view.detail.text.toPlainText())
    assert view.detail.isVisible() and view.detail.text.toPlainText().startswith("Offered\n")
    view.tree.setCurrentItem(view.tree.topLevelItem(1).child(0))
    assert view.detail.text.toPlainText().startswith("Offered and sent")
    view.tree.setCurrentItem(view.tree.topLevelItem(2).child(0))
    assert not view.detail.isVisible()


def test_no_tools_say_so(qtbot: QtBot, theme: Theme) -> None:
    view = SentToolsView(theme)
    qtbot.addWidget(view)
    view.show()
    view.show_tools(None)
    assert view._none.isVisible()
    view.show_tools(SentTools())
    assert view._none.isVisible()


def test_what_is_not_known_is_not_counted() -> None:
    assert in_words(SentTools(is_known=False)).endswith("can't be read.")


def test_a_single_tool_that_was_left_out_stands_by_its_name(qtbot: QtBot, theme: Theme) -> None:
    view = SentToolsView(theme)
    qtbot.addWidget(view)
    view.show_tools(sent_tools((OWN,), (OWN,), (OWN,), (LeftOut("switched off", "git", ("push",), 1),), ()))
    assert texts(view)["Left out by Callgate"] == ["push | switched off · git"]


def test_a_long_name_gets_room_where_there_is_some(qtbot: QtBot, theme: Theme) -> None:
    view = SentToolsView(theme)
    qtbot.addWidget(view)
    long = ToolSpec("look_up_the_weather_in_a_city_of_the_world", "Mine", {"type": "object"})
    widths = []
    for width in (300, 1200):
        view.resize(width, 400)
        view.show()
        view.show_tools(None)
        view.show_tools(sent_tools((long,), (long,), (long,), (), ()))
        widths.append(view.tree.columnWidth(0))
    assert widths[0] < 300 < widths[1] < 600


def test_what_was_left_out_gets_room_too_even_if_it_was_filled_before_there_was_any(qtbot: QtBot, theme: Theme) -> None:
    view = SentToolsView(theme)
    qtbot.addWidget(view)
    view.resize(200, 400)
    left_out = LeftOut("nobody asked", "a source with quite a name of its own", total=1200)
    view.show_tools(sent_tools((OWN,), (OWN,), (OWN,), (left_out,), ()))
    view.resize(1200, 400)
    view.show()
    item = view.tree.topLevelItem(1).child(0)
    needed = QFontMetrics(item.font(0)).horizontalAdvance(item.text(0)) + 2 * view.tree.indentation()
    assert needed < view.tree.columnWidth(0) <= 600
