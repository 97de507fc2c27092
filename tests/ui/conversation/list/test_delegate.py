"""A conversation is drawn with its state in word and colour, its tags, and where a search hit."""

import time

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.samples import sample_conversation

from callgate.core.conversation import ConversationSummary
from callgate.core.marks import Marks
from callgate.core.search.hit import SearchHit
from callgate.core.search.query import Word
from callgate.core.search.snippet import snippet
from callgate.ui.conversation.list.delegate import HEADER_HEIGHT, HEIGHT, TITLE_LINE, ConversationDelegate
from callgate.ui.conversation.list.model import ConversationListModel
from callgate.ui.conversation.list.tags import chip_color
from callgate.ui.theme.theme import Theme, mix


def drawn(theme: Theme, model: ConversationListModel, selected: bool = False, row: int = 1) -> QImage:
    delegate = ConversationDelegate(theme)
    option = QStyleOptionViewItem()
    height = delegate.sizeHint(option, model.index(row)).height()
    picture = QImage(260, height, QImage.Format.Format_ARGB32)
    picture.fill(theme.color("surface"))
    option.rect = QRect(0, 0, 260, height)  # type: ignore[attr-defined]
    if selected:
        option.state |= QStyle.StateFlag.State_Selected  # type: ignore[attr-defined]
    painter = QPainter(picture)
    delegate.paint(painter, option, model.index(row))
    painter.end()
    return picture


def colors(picture: QImage) -> set[str]:
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


def model_of(*summaries: ConversationSummary) -> ConversationListModel:
    model = ConversationListModel()
    model.load(summaries, [])
    return model


def test_a_waiting_conversation_has_an_amber_edge(theme: Theme) -> None:
    model = ConversationListModel()
    model.apply(sample_conversation())
    picture = drawn(theme, model)
    assert picture.pixelColor(5, HEIGHT // 2) == theme.color("waiting")
    still = drawn(theme, model_of(ConversationSummary("a", title="x", updated_at=time.time())))
    assert still.pixelColor(5, HEIGHT // 2) == theme.color("surface")
    assert still.height() == HEIGHT


def test_running_and_failed_are_told_apart(theme: Theme) -> None:
    running = drawn(theme, model_of(ConversationSummary("a", title="x", live=frozenset({"e"}))))
    failed = drawn(theme, model_of(ConversationSummary("a", title="x", failed=True)))
    assert theme.color("executing").name() in colors(running)
    assert theme.color("denied").name() in colors(failed)


def test_the_chosen_row_has_another_ground(theme: Theme) -> None:
    model = model_of(ConversationSummary("a", title="x"))
    picture = drawn(theme, model, selected=True)
    assert picture.pixelColor(200, 50) != QColor(theme.color("surface"))
    assert theme.color("text3").name() in colors(drawn(theme, model))
    assert theme.color("text3").name() not in colors(picture), "hints are too near to that ground"


def test_a_header_is_a_quiet_line(theme: Theme) -> None:
    picture = drawn(theme, model_of(ConversationSummary("a", title="x")), row=0)
    assert picture.height() == HEADER_HEIGHT
    assert len(colors(picture)) > 2


def test_tags_are_chips_in_their_colours_and_a_pin_is_a_sign(theme: Theme) -> None:
    tagged = drawn(theme, model_of(ConversationSummary("a", title="x", marks=Marks(tags=("bug", "x" * 30, "y" * 30)))))
    assert tagged.height() > HEIGHT
    assert mix(theme.color(chip_color("bug")), theme.color("surface"), 0.18).name() in colors(tagged)
    plain = drawn(theme, model_of(ConversationSummary("a", title="x")))
    pinned = drawn(theme, model_of(ConversationSummary("a", title="x", marks=Marks(pinned=True))))
    assert pinned != plain
    imported = drawn(theme, model_of(ConversationSummary("a", title="x", marks=Marks(origin="f"))))
    assert imported != plain


def test_a_hit_is_shown_on_a_ground_of_its_own(theme: Theme) -> None:
    model = model_of(ConversationSummary("a", title="Find me"))
    found = mix(theme.color("waiting"), theme.color("surface"), 0.28).name()
    model.set_hits([SearchHit("a", "answer", snippet("here it is, somewhere", [Word("some")]))])
    picture = drawn(theme, model)
    assert picture.height() > HEIGHT and found in colors(picture)
    model.set_hits([SearchHit("a", "title", snippet("Find me", [Word("find")]))])
    picture = drawn(theme, model)
    assert picture.height() == HEIGHT and found in colors(picture)
    model.set_hits([SearchHit("a", "call", snippet("hidden \u202e here", [Word("here")]))])
    assert found not in colors(drawn(theme, model)), "marks for hidden characters move the places"


def test_a_name_is_edited_in_place(theme: Theme, qtbot: QtBot) -> None:
    model = model_of(ConversationSummary("a", title="Old"))
    delegate, parent, option = ConversationDelegate(theme), QWidget(), QStyleOptionViewItem()
    qtbot.addWidget(parent)
    option.rect = QRect(0, 0, 260, HEIGHT)  # type: ignore[attr-defined]
    editor = delegate.createEditor(parent, option, model.index(1))
    assert isinstance(editor, QLineEdit)
    delegate.setEditorData(editor, model.index(1))
    delegate.updateEditorGeometry(editor, option, model.index(1))
    assert editor.text() == "Old" and editor.width() > 200
    said: list[str] = []
    model.renamed.connect(lambda _, name: said.append(name))
    editor.setText("New")
    delegate.setModelData(editor, model, model.index(1))
    assert said == ["New"]


def test_a_long_title_takes_two_lines_where_the_list_is_narrow(theme: Theme) -> None:
    long = "Fix the flaky test on CI and explain why it only fails there"
    model = model_of(ConversationSummary("a", title=long), ConversationSummary("b", title="Short"))
    delegate, option = ConversationDelegate(theme), QStyleOptionViewItem()
    rows = [model.row_of("a"), model.row_of("b")]

    def heights(width: int) -> list[int]:
        delegate.set_width(width)
        return [delegate.sizeHint(option, model.index(row)).height() for row in rows]

    assert heights(240) == [HEIGHT + TITLE_LINE, HEIGHT]
    assert heights(900) == [HEIGHT, HEIGHT]
    pinned = model_of(ConversationSummary("a", title=long, marks=Marks(pinned=True)))
    delegate.set_width(240)
    assert delegate.sizeHint(option, pinned.index(1)).height() == HEIGHT + TITLE_LINE
