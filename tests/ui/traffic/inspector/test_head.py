"""The head says which exchange it is, what became of it, and what can be copied."""

from dataclasses import replace

from pytestqt.qtbot import QtBot
from tests.fakes.traffic import translated_exchange

from callgate.core.errors import Fault
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.inspector.head import COPIES, InspectorHead


def head(qtbot: QtBot, theme: Theme) -> InspectorHead:
    shown = InspectorHead(theme)
    qtbot.addWidget(shown)
    shown.show()
    return shown


def test_it_tells_what_was_translated_mended_and_not_told(qtbot: QtBot, theme: Theme) -> None:
    fold = ExchangeFold()
    fold.apply_all(translated_exchange())
    row = replace(fold.groups["ex_t"][0], warnings=("seed",))
    shown = head(qtbot, theme)
    shown.show_row(row)
    told = shown.notes.text()
    assert row.agent in shown.title.text() and row.model in shown.title.text()
    assert f"{row.wire} → {row.upstream_wire}" in told and "mended: " in told and "not as said: seed" in told
    shown.show_row(replace(row, fault=Fault("rate_limit", "Too many")))
    assert "429: Too many" in shown.notes.text()


def test_rounds_are_offered_where_there_are_several(qtbot: QtBot, theme: Theme) -> None:
    shown = head(qtbot, theme)
    shown.set_rounds([1], 1)
    assert not shown.round_box.isVisible()
    shown.set_rounds([1, 2], 2)
    assert shown.round_box.isVisible() and shown.number == 2
    with qtbot.waitSignal(shown.round_chosen):
        shown.choose_round(1)


def test_everything_that_can_be_copied_asks_for_its_side_and_form(qtbot: QtBot, theme: Theme) -> None:
    shown = head(qtbot, theme)
    asked: list[tuple[str, str]] = []
    shown.copy_wanted.connect(lambda side, form: asked.append((side, form)))
    menu = shown.copy_button.menu()
    assert menu is not None
    for action in menu.actions():
        action.trigger()
    assert asked == [(entry[1], entry[2]) for entry in COPIES if entry is not None]


def test_what_was_done_is_said_for_a_moment(qtbot: QtBot, theme: Theme) -> None:
    shown = head(qtbot, theme)
    shown.say("Copied")
    assert shown.copy_button.text() == "Copied"
    qtbot.waitUntil(lambda: shown.copy_button.text() == "Copy as…", timeout=5000)
