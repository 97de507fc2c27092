"""A desktop without a global shortcut."""

from callgate.ui.desktop.shortcut import Shortcut


def test_a_desktop_without_one_stays_so() -> None:
    shortcut = Shortcut()
    shortcut.start()
    shortcut.stop()
    assert (shortcut.state, shortcut.keys) == ("unavailable", "")
