"""The line and the review of files that were changed outside Callgate."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.fakes.loop import BoundLoop

from callgate.core.config.items import Items, rule_items
from callgate.core.config.widening import FileChange, Widening, compare
from callgate.core.errors import UserFault
from callgate.core.events import FileChangesFound
from callgate.engine.bus import Bus
from callgate.ui.bridge import Bridge
from callgate.ui.changed_files.notice import notice_words
from callgate.ui.changed_files.presenter import ChangedFilesPresenter
from callgate.ui.theme.theme import Theme

TWO = rule_items([{"verdict": "allow", "tool": "git"}, {"verdict": "allow", "tool": "npm\u202e"}])
ONE = rule_items([{"verdict": "allow", "tool": "git"}])


@dataclass
class FakeService:
    bus: Bus
    found: Items = field(default_factory=Items)
    problem: str = ""
    fault: str = ""
    accepted: list[Sequence[Widening]] = field(default_factory=list)
    put: list[str] = field(default_factory=list)

    def changes(self) -> tuple[FileChange, ...]:
        widenings = compare("rules.toml", {}, self.found).widenings
        return (FileChange("rules.toml", "/data/rules.toml", widenings),) if widenings else ()

    async def accept(self, chosen: Sequence[Widening]) -> None:
        if self.fault:
            raise UserFault(self.fault)
        self.accepted.append(chosen)
        taken = {one.what for one in chosen}
        self.become({key: value for key, value in self.found.items() if key not in taken})

    async def put_back(self, file: str) -> str:
        self.put.append(file)
        self.become({})
        return "/data/rules.toml.rejected"

    def become(self, found: Items) -> None:
        self.found = found
        self.bus.publish(FileChangesFound(tuple(change.file for change in self.changes()), 1.0))


@dataclass
class Stage:
    service: FakeService
    shown: ChangedFilesPresenter
    loop: BoundLoop

    def show(self, found: Items) -> None:
        async def change() -> None:
            self.service.become(found)

        self.loop.run(change())
        self.loop.until(lambda: self.shown.notice.isHidden() is not bool(found))

    def open(self) -> None:
        async def come_up() -> None:
            self.shown.open()

        self.loop.run(come_up())

    def press(self, button: object) -> None:
        async def click() -> None:
            button.click()  # type: ignore[attr-defined]

        self.loop.run(click())
        self.loop.until(lambda: self.shown.dialog._task is None)


@pytest.fixture
def stage(console: object, bridge: Bridge, theme: Theme, loop: BoundLoop, qapp: QApplication) -> Iterator[Stage]:
    ends = qapp.quitOnLastWindowClosed()
    qapp.setQuitOnLastWindowClosed(False)
    service = FakeService(console.bus)  # type: ignore[attr-defined]
    shown = ChangedFilesPresenter(service, bridge, theme, arm_ms=0)
    yield Stage(service, shown, loop)
    shown.dialog.hide()
    shown.dialog.deleteLater()
    shown.notice.deleteLater()
    shown.deleteLater()
    loop.settle()
    qapp.setQuitOnLastWindowClosed(ends)


def test_the_line_comes_and_goes_with_what_waits(stage: Stage) -> None:
    assert stage.shown.notice.isHidden()
    stage.show(ONE)
    assert "rules.toml was changed outside Callgate and would allow more." in stage.shown.notice.words
    stage.show({})
    assert stage.shown.notice.isHidden()


def test_several_files_are_named_in_one_sentence() -> None:
    def change(name: str) -> FileChange:
        return FileChange(name, name, ())

    assert notice_words([change("a"), change("/x/b"), change("C:\\y\\c")]).startswith("a, b and c were changed")
    assert notice_words([change("a")], "It is odd.").endswith("It is odd.")
    assert notice_words([]) == ""


def test_all_is_accepted_with_one_click_and_the_review_closes(stage: Stage) -> None:
    stage.show(TWO)
    stage.open()
    dialog = stage.shown.dialog
    assert not dialog.isModal() and dialog.accept_all.text() == "Accept all 2"
    stage.press(dialog.accept_all)
    assert [len(chosen) for chosen in stage.service.accepted] == [2]
    stage.loop.until(lambda: not dialog.isVisible())


def test_what_is_not_ticked_goes_on_waiting_and_hidden_letters_are_seen(stage: Stage) -> None:
    stage.show(TWO)
    stage.open()
    dialog = stage.shown.dialog
    git, npm = dialog.sections[0].rows
    assert "\u202e" not in npm.box.parent().findChildren(type(npm.text))[0].toPlainText()
    assert not dialog.accept_some.isEnabled(), "all are ticked, and there is a button for all"
    npm.box.click()
    assert dialog.accept_some.text() == "Accept selected (1)"
    stage.press(dialog.accept_some)
    assert [one.what for one in stage.service.accepted[0]] == [git.widening.what]
    stage.loop.until(lambda: dialog.accept_all.text() == "Accept")
    assert dialog.isVisible() and not dialog.accept_some.isVisible()


def test_put_back_says_where_the_changed_file_is(stage: Stage) -> None:
    stage.show(ONE)
    stage.open()
    dialog = stage.shown.dialog
    stage.press(dialog.sections[0].put_back)
    assert stage.service.put == ["rules.toml"] and "/data/rules.toml.rejected" in dialog.said.text()
    assert dialog.isVisible() and dialog.empty.isVisible() and not dialog.accept_all.isVisible()


def test_what_cannot_be_kept_is_said_and_nothing_is_lost(stage: Stage) -> None:
    stage.service.fault = "The disk is full."
    stage.show(ONE)
    stage.open()
    dialog = stage.shown.dialog
    stage.press(dialog.accept_all)
    assert dialog.said.text() == "The disk is full." and dialog.accept_all.isEnabled() and dialog.sections


def test_a_record_that_is_not_trusted_is_said(stage: Stage) -> None:
    stage.service.problem = "accepted.json is missing. Nothing that was accepted before counts."
    stage.show(ONE)
    stage.open()
    assert stage.shown.dialog.problem.isVisible() and "accepted.json is missing" in stage.shown.notice.words


def test_closing_accepts_nothing_and_escape_closes(stage: Stage) -> None:
    stage.show(ONE)
    stage.open()
    QTest.keyClick(stage.shown.dialog, Qt.Key.Key_Escape)
    assert not stage.shown.dialog.isVisible() and stage.service.accepted == []
    assert not stage.shown.notice.isHidden()


def test_a_difference_that_is_new_arms_the_buttons_anew(stage: Stage, bridge: Bridge, theme: Theme) -> None:
    careful = ChangedFilesPresenter(stage.service, bridge, theme)
    stage.show(ONE)

    async def come_up() -> None:
        careful.open()

    stage.loop.run(come_up())
    stage.loop.until(careful.dialog.accept_all.isEnabled)
    stage.show(TWO)
    stage.loop.until(lambda: len(careful.dialog.sections[0].rows) == 2)
    assert not careful.dialog.accept_all.isEnabled(), "a click that was on its way to the other text must not count"
    careful.dialog.close()
    careful.dialog.deleteLater()
