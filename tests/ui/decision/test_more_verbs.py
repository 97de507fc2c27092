"""The verbs behind three dots."""

import pytest
from pytestqt.qtbot import QtBot

from callgate.ui.decision.more_verbs import MoreVerbs
from callgate.ui.theme.theme import Theme


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every menu
def test_each_says_that_it_was_chosen(qtbot: QtBot, theme: Theme) -> None:
    more = MoreVerbs(theme)
    qtbot.addWidget(more)
    heard: list[str] = []
    more.skip_chosen.connect(lambda: heard.append("skip"))
    more.snooze_chosen.connect(lambda: heard.append("snooze"))
    more.stop_chosen.connect(lambda: heard.append("stop"))
    more.show()
    more.click()
    assert more.verbs.isVisible()
    for action in more.verbs.actions():
        action.trigger()
    more.verbs.close()
    assert heard == ["skip", "snooze", "stop"]
    more.offer_skip(False)
    assert [action.isVisible() for action in more.verbs.actions()] == [False, True, True, True]
