"""The dialogs over a desk that is only pretended: what they say and what they send."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop

from callgate.core.config.doctor import DoctorStep
from callgate.core.config.settings import SourceSettings
from callgate.engine.sources.source_service import Draft, FoundFile, SourceView
from callgate.ui.bridge import Bridge
from callgate.ui.sources.add_dialog import AddDialog
from callgate.ui.sources.command_dialog import CommandDialog
from callgate.ui.sources.import_dialog import ImportDialog
from callgate.ui.theme.theme import Theme

OK = DoctorStep("a", "First", "ok")
BAD = DoctorStep("a", "First", "failed", "it broke", "mend it")


@pytest.fixture
def dialog(console: FakeConsole, bridge: Bridge, theme: Theme) -> AddDialog:
    return AddDialog(console.sources, bridge, theme)


def paste(dialog: AddDialog, text: str) -> None:
    dialog.paste.setPlainText(text)
    dialog.read()


def test_nothing_can_be_added_before_something_was_recognised(dialog: AddDialog) -> None:
    assert not dialog.add.isEnabled()
    paste(dialog, "{ half")
    assert "not valid JSON" in dialog.problems.text()
    assert not dialog.add.isEnabled()
    paste(dialog, "uvx mcp-server-git")
    assert (dialog.recognised.text(), dialog.add.isEnabled()) == ("A command line", True)


def test_pasting_is_read_after_the_last_key(dialog: AddDialog, loop: BoundLoop) -> None:
    dialog.paste.setPlainText("uvx mcp-server-git")
    assert not dialog.rows
    loop.until(lambda: len(dialog.rows) == 1)


def test_a_name_that_is_taken_is_said_until_it_is_changed(dialog: AddDialog, console: FakeConsole) -> None:
    console.sources.show(SourceView("git", "mcp", "config", "ready"))
    paste(dialog, "uvx mcp-server-git")
    assert "already a source named git" in dialog.rows[0].trouble
    assert not dialog.add.isEnabled()
    dialog.rows[0].name.setText("git two")
    assert "letters, digits" in dialog.rows[0].trouble
    dialog.rows[0].name.setText("git-two")
    assert dialog.add.isEnabled()


def test_it_is_checked_first_and_added_if_it_works(dialog: AddDialog, console: FakeConsole, loop: BoundLoop) -> None:
    console.sources.steps = [OK]
    added: list[str] = []
    dialog.added.connect(lambda name, note: added.append(name))
    dialog.show()
    paste(dialog, "uvx mcp-server-git")
    loop.press(dialog.add.click)
    loop.until(lambda: not dialog.isVisible())
    assert console.sources.done == [("examine", "git"), ("add", "git")]
    assert added == ["git"]


def test_a_failed_check_adds_nothing_until_it_is_wanted_anyway(
    dialog: AddDialog, console: FakeConsole, loop: BoundLoop
) -> None:
    console.sources.steps = [BAD]
    paste(dialog, "uvx mcp-server-git")
    loop.press(dialog.add.click)
    loop.until(lambda: dialog.add.text() == "Add anyway")
    assert console.sources.done == [("examine", "git")]
    dialog.rows[0].name.setText("other")
    assert dialog.add.text() == "Check and add"
    loop.press(dialog.add.click)
    loop.until(lambda: dialog.add.text() == "Add anyway")
    loop.press(dialog.add.click)
    loop.until(lambda: ("add", "other") in console.sources.done)


def test_a_refusal_stays_on_the_dialog(dialog: AddDialog, console: FakeConsole, loop: BoundLoop) -> None:
    console.sources.steps = [BAD]
    paste(dialog, "uvx mcp-server-git")
    loop.press(dialog.add.click)
    loop.until(lambda: dialog.add.text() == "Add anyway")
    console.sources.fault = "The disk is full."
    loop.press(dialog.add.click)
    loop.until(lambda: dialog.said.text() == "The disk is full.")


def test_values_that_are_asked_for_are_sent_along_and_hidden(
    dialog: AddDialog, console: FakeConsole, loop: BoundLoop
) -> None:
    console.sources.steps = [OK]
    paste(dialog, "srv --token ${input:token}")
    field = dialog.findChild(QLineEdit, "input_token")
    assert field is not None and field.echoMode() == QLineEdit.EchoMode.Password
    field.setText("s3cret")
    loop.press(dialog.add.click)
    loop.until(lambda: ("add", "srv") in console.sources.done)
    assert console.sources.values == {"token": "s3cret"}


def test_of_several_servers_only_those_that_are_ticked_are_added(
    dialog: AddDialog, console: FakeConsole, loop: BoundLoop
) -> None:
    console.sources.steps = [OK]
    paste(dialog, '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}, "c": {"command": "z"}}}')
    assert dialog.recognised.text().endswith("3 servers")
    dialog.rows[1].wanted.setChecked(False)
    loop.press(dialog.add.click)
    loop.until(lambda: ("add", "c") in console.sources.done)
    assert [done for done in console.sources.done if done[0] == "add"] == [("add", "a"), ("add", "c")]


def test_escape_closes_and_a_source_can_be_changed(dialog: AddDialog, console: FakeConsole) -> None:
    console.sources.show(SourceView("git", "mcp", "added", "ready"))
    console.sources.known["git"] = SourceSettings(name="git", kind="mcp", command=("uvx", "mcp-server-git"))
    dialog.edit("git")
    dialog.show()
    assert dialog.windowTitle() == "Edit git"
    assert dialog.rows[0].settings.command == ("uvx", "mcp-server-git")
    assert dialog.add.text() == "Check and save" and dialog.add.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_an_import_shows_what_there_is_and_takes_what_is_chosen(
    console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop
) -> None:
    one = SourceSettings(name="one", kind="mcp", command=("x",))
    console.sources.files = (
        FoundFile("Cursor", "/c.json", (Draft(one, ("a note",)), Draft(one, problem="It is here already."))),
        FoundFile("VS Code", "/v.json", (), ("line 3: broken",)),
    )
    dialog = ImportDialog(console.sources, bridge, theme)
    loop.press(dialog.look)
    loop.until(lambda: len(dialog.rows) == 2)
    assert [row.is_wanted for row in dialog.rows] == [True, False]
    assert dialog.take.text() == "Import 1 server"
    loop.press(dialog.take.click)
    loop.until(lambda: console.sources.done == [("add", "one")])


def test_an_import_that_finds_nothing_says_where_it_looked(
    console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop
) -> None:
    dialog = ImportDialog(console.sources, bridge, theme)
    loop.press(dialog.look)
    loop.settle()
    assert not dialog.empty.isHidden()
    assert not dialog.take.isEnabled()


def test_what_was_said_of_a_parameter_stays_while_the_command_changes(
    console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop
) -> None:
    dialog = CommandDialog(console.sources, bridge, theme)
    dialog.name.setText("count")
    dialog.command.setText("wc {file}")
    about = dialog.findChild(QLineEdit, "parameterAbout_file")
    assert about is not None
    about.setText("Which one")
    dialog.command.setText("wc -w {fil")
    assert not dialog.save.isEnabled()
    dialog.command.setText("wc -w {file} {more*}")
    assert [(one.name, one.type, one.description) for one in dialog.draft().parameters] == [
        ("file", "string", "Which one"),
        ("more", "array", ""),
    ]
    console.sources.show(SourceView("commands", "mcp", "config", "ready"))
    dialog.source.setText("commands")
    dialog.folder.setText("sub")
    assert "already a source named commands" in dialog.said.text()
    dialog.source.setText("mine")
    loop.press(dialog.save.click)
    loop.until(lambda: console.sources.done == [("add", "mine")])
    assert console.sources.known["mine"].tools[0].cwd == "sub"
