"""All of the arguments can be read, and it is known whether they have been."""

import json
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from callgate.ui.decision.arguments import ArgumentsView
from callgate.ui.theme.theme import Theme


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> ArgumentsView:
    view = ArgumentsView(theme)
    qtbot.addWidget(view)
    view.resize(500, 240)
    view.show()
    return view


def shown(view: ArgumentsView) -> str:
    return view.text.toPlainText()


def test_arguments_are_laid_out_with_hidden_characters_revealed(view: ArgumentsView) -> None:
    view.show_arguments('{"command":"ls \\u202egpj"}')
    assert shown(view) == '{\n  "command": "ls ⟨U+202E RLO⟩gpj"\n}'
    assert view.text.isReadOnly()


def test_raw_shows_what_the_model_wrote_letter_for_letter(view: ArgumentsView) -> None:
    view.show_arguments('{"command":"ls \\u202egpj"}')
    raw = view.findChild(QToolButton, "rawToggle")
    assert raw is not None
    QTest.mouseClick(raw, Qt.MouseButton.LeftButton)
    assert shown(view) == '{"command":"ls \\u202egpj"}'


def test_text_that_is_no_json_is_shown_as_it_is(view: ArgumentsView) -> None:
    view.show_arguments('{"command": ')
    assert shown(view) == '{"command": '
    view.show_arguments('{"a":1}', "custom")
    assert shown(view) == '{"a":1}'


def test_arguments_of_a_tool_of_the_wire_itself_are_laid_out(view: ArgumentsView) -> None:
    view.show_arguments('{"commands":["ls"]}', "built_in")
    assert "\n" in shown(view)


def test_a_short_text_is_seen_at_once(qtbot: QtBot, theme: Theme) -> None:
    view = ArgumentsView(theme)
    qtbot.addWidget(view)
    view.show_arguments('{"a":1}')
    assert not view.is_seen
    with qtbot.waitSignal(view.seen, timeout=2000):
        view.resize(500, 240)
        view.show()
    assert view.is_seen


def test_a_long_text_is_seen_when_it_was_scrolled_to_the_end(qtbot: QtBot, view: ArgumentsView) -> None:
    view.show_arguments(json.dumps({"content": "line\n" * 400}))
    qtbot.wait(20)
    assert not view.is_seen
    bar = view.text.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert not view.is_seen
    with qtbot.waitSignal(view.seen, timeout=2000):
        view.show_end()


def test_another_text_has_to_be_seen_anew_but_the_same_one_has_not(qtbot: QtBot, view: ArgumentsView) -> None:
    view.show_arguments('{"a":1}')
    qtbot.waitUntil(lambda: view.is_seen, timeout=2000)
    view.show_arguments('{"a":1}')
    assert view.is_seen
    view.show_arguments(json.dumps({"content": "line\n" * 400}))
    assert not view.is_seen


def test_suspects_are_found_behind_escapes_too(qtbot: QtBot, view: ArgumentsView) -> None:
    view.show_arguments('{"host":"p\\u0430ypal.com","a":1,"a":2}')
    qtbot.waitUntil(lambda: len(view.suspects) == 2, timeout=2000)
    assert "twice" in view.suspects[0].why
    assert "Cyrillic" in view.suspects[1].why


def test_markup_stays_text(view: ArgumentsView) -> None:
    view.show_arguments('{"note":"![x](http://evil.test/x.png) <script>alert(1)</script>"}')
    assert "<script>alert(1)</script>" in shown(view)


def test_nothing_of_a_long_text_is_left_out(qtbot: QtBot, view: ArgumentsView) -> None:
    content = "\n".join(f"row {number}" for number in range(30_000))
    view.show_arguments(json.dumps({"content": content}))
    qtbot.waitUntil(lambda: "row 29999" in view.text.document().lastBlock().previous().text(), timeout=5000)
    assert view.text.blockCount() == 30_000 + 3


def test_a_megabyte_does_not_hold_up_the_window(qtbot: QtBot, view: ArgumentsView) -> None:
    began = time.perf_counter()
    view.show_arguments(json.dumps({"content": "word " * 200_000}))
    worst = time.perf_counter() - began
    while view._timer.isActive() and time.perf_counter() - began < 5:
        turn = time.perf_counter()
        QApplication.processEvents()
        worst = max(worst, time.perf_counter() - turn)
    assert not view._timer.isActive()
    assert worst < 0.25  # a quarter of a second only on a machine that is busy with other things


def test_copy_gives_exactly_what_the_model_wrote(view: ArgumentsView) -> None:
    view.show_arguments('{"a":  "\\u0041"}')
    view._copy.click()
    assert QApplication.clipboard().text() == '{"a":  "\\u0041"}'


def test_the_same_value_can_be_looked_at_as_a_tree(view: ArgumentsView) -> None:
    view.show_arguments('{"path": "a.py", "edits": [{"line": 3}]}')
    view.views.choose("Tree")
    assert view.tree is not None and view.tree.isVisible() and not view.text.isVisible()
    assert view.tree.model.value == {"path": "a.py", "edits": [{"line": 3}]}
    view.show_end()
    assert view.text.isVisible() and not view.tree.isVisible()


def test_another_call_is_shown_as_text_again_and_free_text_has_no_tree(view: ArgumentsView) -> None:
    view.show_arguments('{"a": 1}')
    view.views.choose("Tree")
    view.show_arguments('{"a": 2}')
    assert view.views.current == "Text" and view.text.isVisible()
    view.show_arguments("SELECT 1", "custom")
    assert view.views.isHidden()
