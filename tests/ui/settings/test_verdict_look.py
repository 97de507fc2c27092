"""Verdicts are never told by colour alone."""

from callgate.ui.settings.verdict_look import VERDICT_LOOKS
from callgate.ui.theme.icons import ICONS


def test_each_has_a_word_an_icon_and_a_colour_and_the_strictest_is_first() -> None:
    assert list(VERDICT_LOOKS) == ["deny", "ask", "allow"]
    looks = VERDICT_LOOKS.values()
    assert len({look.word for look in looks}) == len({look.color for look in looks}) == 3
    assert all(look.icon in ICONS for look in looks)
