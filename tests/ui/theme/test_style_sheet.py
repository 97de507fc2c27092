import re

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from callgate.ui.theme.style_sheet import style_sheet
from callgate.ui.theme.tokens import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Tokens

ALL = {"dark": DARK, "light": LIGHT, "dark contrast": DARK_CONTRAST, "light contrast": LIGHT_CONTRAST}


@pytest.mark.parametrize("tokens", ALL.values(), ids=ALL.keys())
def test_qt_can_read_the_whole_sheet(tokens: Tokens, qtbot: QtBot) -> None:
    button = QPushButton("x")
    qtbot.addWidget(button)
    button.setStyleSheet(style_sheet(tokens))  # Qt warns about what it cannot parse, and a warning fails the test
    button.show()
    assert style_sheet(tokens).count("{") == style_sheet(tokens).count("}")


def test_every_colour_comes_from_the_tokens_or_a_mix_of_them() -> None:
    words = re.findall(r":\s*(white|black|red|blue|green|gray|grey|yellow)\b", style_sheet(DARK))
    assert words == []
