from dataclasses import asdict

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

from callgate.core.invocation import Invocation
from callgate.ui.icons import ICONS
from callgate.ui.theme import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Theme, Tokens, mix

ALL = {"dark": DARK, "light": LIGHT, "dark contrast": DARK_CONTRAST, "light contrast": LIGHT_CONTRAST}
GROUNDS = ("canvas", "surface", "raised")


def _luminance(color: str) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue, _ = QColor(color).getRgbF()
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", ALL.values(), ids=ALL.keys())
def test_every_text_and_state_colour_is_readable_on_every_ground(tokens: Tokens) -> None:
    colours = asdict(tokens)
    weakest = 7.0 if tokens in (DARK_CONTRAST, LIGHT_CONTRAST) else 4.5
    # the accent marks focus and links on panes and cards; on the bare canvas it draws shapes, for which 3:1 is enough
    spared = {("accent", "canvas")}
    poor = {
        f"{name} on {ground}": round(_contrast(color, colours[ground]), 2)
        for name, color in colours.items()
        if name not in (*GROUNDS, "border")
        for ground in GROUNDS
        if (name, ground) not in spared
        if _contrast(color, colours[ground]) < weakest
    }
    assert poor == {}
    assert _contrast(tokens.accent, tokens.canvas) >= 3


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


def test_every_icon_exists_in_the_family(theme: Theme) -> None:
    assert [name for name in ICONS if theme.icon(name).pixmap(16, 16).isNull()] == []


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
        (released(), "handed over", "released"),
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
