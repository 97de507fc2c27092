"""A grant that no longer counts, and the way to accept what changed."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.core.catalog.definition_diff import diff
from callgate.core.rules.policy import Rule
from callgate.engine.console.rule_service import DefinitionChange, SuspendedGrant
from callgate.ui.settings.rule_list import SuspendedBox
from callgate.ui.theme.theme import Theme

BEFORE, AFTER = {"description": "a"}, {"description": "b"}
GRANT = SuspendedGrant(
    Rule("allow", "t", id="r1", fingerprint="old"),
    DefinitionChange("t", "s", "new", AFTER, BEFORE, diff(BEFORE, AFTER)),
)


def test_it_shows_the_diff_at_once_and_accepts_on_a_click(qtbot: QtBot, theme: Theme) -> None:
    box = SuspendedBox(theme, arm_ms=0)
    qtbot.addWidget(box)
    heard: list[tuple[str, str]] = []
    box.accepted.connect(lambda rule, fingerprint: heard.append((rule, fingerprint)))
    box.show_grant(GRANT)
    box.activateWindow()
    qtbot.waitUntil(lambda: box.accept.isEnabled(), timeout=2000)
    assert [row.kind for row in box.definition.diff.sections[0].text.rows if row.kind != "plain"] == [
        "removed",
        "added",
    ]
    qtbot.wait(0)
    box.accept.click()
    assert heard == [("r1", "new")]


def test_it_is_armed_anew_for_every_grant_and_hidden_without_one(qtbot: QtBot, theme: Theme) -> None:
    box = SuspendedBox(theme, arm_ms=60_000)
    qtbot.addWidget(box)
    box.show_grant(GRANT)
    QTest.mouseClick(box.accept, Qt.MouseButton.LeftButton)
    assert not box.accept.isEnabled()
    box.show_grant(None)
    assert box.isHidden() and box.grant is None
