"""A desktop without a global shortcut."""

from callgate.ui.desktop.shortcut import NoShortcut


def test_a_desktop_without_one_stays_so() -> None:
    shortcut = NoShortcut()
    shortcut.start()
    shortcut.stop()
    assert (shortcut.state, shortcut.keys) == ("unavailable", "")
