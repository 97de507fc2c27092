from PySide6.QtWidgets import QToolButton
from shiboken6 import delete

from callgate.ui.theme.kept_icon import keep_icon
from callgate.ui.theme.theme import Theme


def test_an_icon_follows_the_theme_for_as_long_as_its_button_lives(theme: Theme) -> None:
    button = QToolButton()
    keep_icon(button, theme, "add")
    before = button.icon().cacheKey()
    theme.set_mode("light")
    assert button.icon().cacheKey() != before
    delete(button)
    theme.set_mode("dark")
