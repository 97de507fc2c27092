from callgate.ui.theme.icons import ICONS
from callgate.ui.theme.theme import Theme


def test_every_icon_exists_in_the_family(theme: Theme) -> None:
    assert [name for name in ICONS if theme.icon(name).pixmap(16, 16).isNull()] == []
