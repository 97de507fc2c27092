from dataclasses import asdict

import pytest
from PySide6.QtGui import QColor

from callgate.ui.theme.theme import mix
from callgate.ui.theme.tokens import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Tokens

ALL = {"dark": DARK, "light": LIGHT, "dark contrast": DARK_CONTRAST, "light contrast": LIGHT_CONTRAST}
GROUNDS = ("canvas", "surface", "raised")


def _luminance(color: str) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue, _ = QColor(color).getRgbF()
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", ALL.values(), ids=ALL.keys())
def test_every_text_and_state_colour_is_readable_on_every_ground(tokens: Tokens) -> None:
    colours = asdict(tokens)
    weakest = 7.0 if tokens in (DARK_CONTRAST, LIGHT_CONTRAST) else 4.5
    # the accent marks focus and links on panes and cards; on the bare canvas it draws shapes, for which 3:1 is enough
    spared = {("accent", "canvas")}
    poor = {
        f"{name} on {ground}": round(contrast(color, colours[ground]), 2)
        for name, color in colours.items()
        if name not in (*GROUNDS, "border")
        for ground in GROUNDS
        if (name, ground) not in spared
        if contrast(color, colours[ground]) < weakest
    }
    assert poor == {}
    assert contrast(tokens.accent, tokens.canvas) >= 3


@pytest.mark.parametrize("tokens", ALL.values(), ids=ALL.keys())
def test_what_is_secondary_is_readable_on_a_chosen_row(tokens: Tokens) -> None:
    for ground in ("surface", "raised"):
        chosen = mix(QColor(tokens.accent), QColor(getattr(tokens, ground)), 0.18).name()
        assert contrast(tokens.text2, chosen) >= 4.5
