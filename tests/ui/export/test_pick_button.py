"""The ring of a choice stands out from the ground, chosen or not, dark or light."""

import pytest
from pytestqt.qtbot import QtBot

from callgate.ui.export.choices import PickButton
from callgate.ui.result_view.styled_text import contrast
from callgate.ui.theme.theme import Mode, Theme


@pytest.mark.parametrize("mode", ["dark", "light"])
@pytest.mark.parametrize("on", [True, False])
def test_the_ring_is_seen(qtbot: QtBot, theme: Theme, mode: Mode, on: bool) -> None:
    theme.set_mode(mode)
    button = PickButton(theme, "HAR 1.2")
    qtbot.addWidget(button)
    button.setChecked(on)
    button.resize(button.sizeHint())
    picture = button.grab().toImage()
    middle = picture.height() // 2
    ring = max(contrast(picture.pixelColor(x, middle), theme.color("surface")) for x in range(18))
    assert ring >= 3
