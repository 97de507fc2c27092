"""The warning above texts that are not what they seem."""

from pytestqt.qtbot import QtBot

from callgate.ui.approvals.suspect_box import SuspectBox
from callgate.ui.text.hidden_characters import Suspect, suspects
from callgate.ui.theme.theme import Theme


def test_it_is_silent_about_an_honest_text(qtbot: QtBot, theme: Theme) -> None:
    box = SuspectBox(theme)
    qtbot.addWidget(box)
    box.show_suspects(suspects("ls -l"))
    assert box.isHidden()


def test_findings_of_one_kind_share_a_line(qtbot: QtBot, theme: Theme) -> None:
    box = SuspectBox(theme)
    qtbot.addWidget(box)
    box.show_suspects(suspects("a\u202eb\u202cc pаypal"))
    lines = box.words.split("\n")
    assert lines[0].startswith("⟨U+202E RLO⟩ (and 1 like it) changes the direction")
    assert lines[1].startswith("pаypal mixes Latin letters with Cyrillic")
    assert not box.isHidden()


def test_it_never_grows_over_the_arguments(qtbot: QtBot, theme: Theme) -> None:
    box = SuspectBox(theme)
    qtbot.addWidget(box)
    box.show_suspects([Suspect(number, "x" * 500, f"reason {number}") for number in range(40)])
    lines = box.words.split("\n")
    assert len(lines) == 7
    assert lines[-1] == "… and 34 more kinds."
    assert all(len(line) < 100 for line in lines)
