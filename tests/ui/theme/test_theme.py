import pytest
from PySide6.QtGui import QColor, QFontInfo
from PySide6.QtWidgets import QApplication
from tests.fakes.console import (
    answered,
    cancelled,
    completed,
    denied,
    released,
    reviewing,
    running,
    sample_invocation,
    skipped,
    timed_out,
    waiting,
)

from callgate.core.calls.invocation import Invocation
from callgate.ui.theme.theme import DARK, DARK_CONTRAST, LIGHT, Theme, mix


def test_each_mode_has_its_tokens_and_says_when_they_change(qapp: QApplication) -> None:
    theme = Theme()
    heard: list[bool] = []
    theme.set_mode("dark")
    theme.changed.connect(lambda: heard.append(theme.is_dark))
    theme.set_mode("light")
    assert theme.tokens == LIGHT
    theme.set_mode("light")
    theme.set_mode("dark")
    assert theme.tokens == DARK
    theme.set_high_contrast(True)
    assert theme.tokens == DARK_CONTRAST
    assert heard == [False, True, True]


def test_an_icon_has_the_colour_of_the_tokens_in_force(theme: Theme) -> None:
    dark = theme.icon("copy", "accent")
    assert theme.icon("copy", "accent") is dark
    theme.set_mode("light")
    assert theme.icon("copy", "accent") is not dark


@pytest.mark.parametrize(
    ("invocation", "word", "color"),
    [
        (sample_invocation(), "forming", "accent"),
        (waiting(), "waiting", "waiting"),
        (running(), "running", "executing"),
        (reviewing(), "review", "waiting"),
        (completed(), "done", "completed"),
        (completed(error=True), "failed", "denied"),
        (answered(), "answered", "completed"),
        (denied(), "denied", "denied"),
        (skipped(), "skipped", "cancelled"),
        (timed_out(), "timed out", "denied"),
        (cancelled(), "cancelled", "cancelled"),
        (released(), "released", "released"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_state_has_its_word_colour_and_icon(theme: Theme, invocation: Invocation, word: str, color: str) -> None:
    assert theme.state_word(invocation) == word
    assert theme.state_color(invocation) == theme.color(color)
    assert not theme.state_icon(invocation).isNull()


def test_arguments_are_set_in_a_fixed_pitch(theme: Theme) -> None:
    assert QFontInfo(theme.mono()).fixedPitch()
    assert theme.ui(16, bold=True).bold() or theme.ui(16, bold=True).weight() >= 600
    assert theme.ui(16).pixelSize() == 16


def test_a_dressed_application_follows_a_change_of_mode(qapp: QApplication, theme: Theme) -> None:
    before = qapp.styleSheet()
    try:
        theme.apply(qapp)
        assert DARK.canvas in qapp.styleSheet()
        theme.set_mode("light")
        assert LIGHT.canvas in qapp.styleSheet()
        assert qapp.palette().window().color() == QColor(LIGHT.canvas)
    finally:
        qapp.setStyleSheet(before)


def test_a_mix_lies_between_its_colours() -> None:
    assert mix(QColor("#ffffff"), QColor("#000000"), 0.5).name() in ("#7f7f7f", "#808080")
