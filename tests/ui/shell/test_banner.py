import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON

from callgate.core.events import FaultRaised, JournalChanged, ProxyChanged
from callgate.ui.shell.banner import FaultBanner, Lead
from callgate.ui.theme.theme import Theme


@pytest.fixture
def banner(theme: Theme, qtbot: QtBot) -> FaultBanner:
    banner = FaultBanner(theme)
    qtbot.addWidget(banner)
    return banner


def _fault(message: str) -> FaultRaised:
    return FaultRaised("git source", message, NOON, "Traceback: line 1")


def _texts(banner: FaultBanner) -> set[str]:
    return {label.text() for label in banner.findChildren(QLabel) if not label.isHidden()}


def test_without_faults_there_is_no_banner(banner: FaultBanner) -> None:
    banner.apply((ProxyChanged("", NOON),))
    assert banner.isHidden()


def test_a_fault_is_shown_until_it_is_dismissed(banner: FaultBanner) -> None:
    banner.apply((_fault("It ended."),))
    assert not banner.isHidden()
    assert "git source: It ended." in _texts(banner)
    banner.findChild(QToolButton, "dismissFault").click()
    assert banner.isHidden()


def test_the_newest_comes_first_and_the_others_are_counted(banner: FaultBanner) -> None:
    banner.apply((_fault("one"), _fault("two"), _fault("three")))
    assert {"git source: three", "and 2 more"} <= _texts(banner)
    banner.dismiss()
    assert {"git source: two", "and 1 more"} <= _texts(banner)
    banner.findChild(QPushButton, "dismissAllFaults").click()
    assert banner.isHidden() and list(banner.faults) == []


def test_the_details_can_be_copied(banner: FaultBanner, qapp: QApplication) -> None:
    assert banner.details() == ""
    banner.apply((_fault("It ended."),))
    next(b for b in banner.findChildren(QToolButton) if b.accessibleName() == "Copy the details").click()
    copied = qapp.clipboard().text()
    assert "git source: It ended." in copied and "Traceback: line 1" in copied


def test_a_flood_of_faults_keeps_only_the_newest(banner: FaultBanner) -> None:
    banner.apply(tuple(_fault(str(number)) for number in range(200)))
    assert len(banner.faults) == 50
    assert "git source: 199" in _texts(banner)


def test_a_fault_that_can_be_mended_somewhere_leads_there(banner: FaultBanner) -> None:
    gone: list[str] = []
    banner.add_lead(Lead("key of ", "Endpoints…", gone.append))
    button = banner.findChild(QPushButton, "mendFault")
    banner.apply((FaultRaised("journal", "disk full", 1.0),))
    assert button.isHidden()
    banner.apply((FaultRaised("key of openai", "not set", 2.0),))
    assert not button.isHidden() and button.text() == "Endpoints…"
    button.click()
    assert gone == ["openai"]
    banner.dismiss()
    assert button.isHidden()


def test_a_journal_that_cannot_be_written_stays_on_show_until_it_can_be(banner: FaultBanner) -> None:
    banner.apply((_fault("before"), JournalChanged(NOON, NOON, "disk full")))
    assert any("cannot be written since" in text and "disk full" in text for text in _texts(banner))
    assert banner.findChild(QToolButton, "dismissFault").isHidden()
    banner.dismiss()
    banner.dismiss_all()
    assert [fault.where for fault in banner.faults] == ["journal"]
    banner.apply((JournalChanged(NOON + 5),))
    assert [text for text in _texts(banner) if text] == [
        "The journal can be written again. Every decision made meanwhile is in the audit."
    ]
    banner.findChild(QToolButton, "dismissFault").click()
    assert banner.isHidden()


def test_decisions_that_are_missing_are_counted_once_it_works_again(banner: FaultBanner) -> None:
    banner.apply((JournalChanged(NOON, NOON, "disk full"), JournalChanged(NOON + 5, missing=3)))
    assert any("3 decisions are missing from the audit" in text for text in _texts(banner))
    assert len(banner.faults) == 1
