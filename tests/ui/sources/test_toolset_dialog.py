import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from tests.fakes.source_service import FakeToolsetService

from callgate.core.tool import Tool
from callgate.engine.offer.toolset_service import DeclaredToolset
from callgate.ui.sources.part_model import packed
from callgate.ui.sources.toolset_dialog import ToolsetDialog
from callgate.ui.sources.toolset_parts import MemberList
from callgate.ui.theme.theme import Theme

TOOLS = (Tool("read_file", "built-in"), Tool("fetch", "web"), Tool("hidden", "web", private=True))


@pytest.fixture
def service() -> FakeToolsetService:
    sets = {
        "reader": DeclaredToolset("reader", ("read_file", "gone"), "Reads", file="/own"),
        "theirs": DeclaredToolset("theirs", ("fetch",), file="/foreign", editable=False),
    }
    return FakeToolsetService(sets)


@pytest.fixture
def dialog(service: FakeToolsetService, theme: Theme) -> ToolsetDialog:
    dialog = ToolsetDialog(service, lambda: TOOLS, theme)
    dialog.refresh()
    return dialog


def drop(target: MemberList, members: list[str], y: float = 500.0) -> None:
    data = packed(members)  # kept in a name: the event does not keep it
    event = QDropEvent(
        QPointF(5, y),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    target.dropEvent(event)


def test_the_first_set_is_shown_and_missing_members_are_marked(dialog: ToolsetDialog) -> None:
    assert (dialog.name.text(), dialog.about.text()) == ("reader", "Reads")
    assert dialog.members.members == ("read_file", "gone")
    assert dialog.members.item(1).text() == "gone (not there now)"
    assert not dialog.save.isEnabled()
    assert [group.head.words for group in dialog.parts.parts.groups] == ["Toolsets", "built-in", "web"]


def test_dropped_tools_land_where_they_were_dropped_each_once(
    dialog: ToolsetDialog, service: FakeToolsetService
) -> None:
    dialog.show()
    drop(dialog.members, ["fetch", "theirs"])
    assert dialog.members.members == ("read_file", "gone", "fetch", "theirs")
    drop(dialog.members, ["theirs"], 1.0)
    assert dialog.members.members == ("theirs", "read_file", "gone", "fetch")
    drop(dialog.members, ["web/*"], 1.0)
    assert dialog.save.isEnabled()
    dialog.save.click()
    assert service.sets["reader"].members == ("web/*", "theirs", "read_file", "gone", "fetch")
    assert not dialog.save.isEnabled()
    dialog.close()


def test_everything_works_from_the_keyboard(dialog: ToolsetDialog, service: FakeToolsetService) -> None:
    dialog.new.click()
    dialog.name.setText("mine")
    dialog.filter.setText("web")
    assert dialog.parts.choose("fetch")
    QTest.keyClick(dialog.parts, Qt.Key.Key_Return)
    dialog.filter.setText("read")
    assert dialog.parts.choose("built-in/*")
    dialog.add.click()
    assert dialog.members.members == ("fetch", "built-in/*")
    dialog.members.setCurrentRow(1)
    QTest.keyClick(dialog.members, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert dialog.members.members == ("built-in/*", "fetch")
    QTest.keyClick(dialog.members, Qt.Key.Key_Delete)
    assert dialog.members.members == ("fetch",)
    QTest.keyClick(dialog, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    dialog.save_set()
    assert service.sets["mine"].members == ("fetch",)


def test_a_set_of_another_file_can_be_looked_at_only(dialog: ToolsetDialog) -> None:
    dialog.sets.setCurrentRow(1)
    assert dialog.name.text() == "theirs"
    assert not dialog.members.isEnabled() and not dialog.remove.isEnabled()
    assert "not Callgate's file" in dialog.where.text()


def test_a_removed_set_comes_back_and_what_is_not_saved_survives_a_refresh(
    dialog: ToolsetDialog, service: FakeToolsetService
) -> None:
    dialog.about.setText("Changed")
    dialog.refresh()
    assert dialog.about.text() == "Changed"
    dialog.remove.click()
    assert "reader" not in service.sets
    undo = dialog.undo.findChild(type(dialog.save), "undoButton")
    assert undo is not None
    undo.click()
    assert service.sets["reader"].members == ("read_file", "gone")


def test_what_was_not_saved_can_be_had_back_after_looking_elsewhere(dialog: ToolsetDialog) -> None:
    dialog.members.add(["fetch"])
    dialog.sets.setCurrentRow(1)
    assert dialog.name.text() == "theirs"
    undo = dialog.undo.findChild(type(dialog.save), "undoButton")
    assert undo is not None
    undo.click()
    assert (dialog.name.text(), dialog.members.members) == ("reader", ("read_file", "gone", "fetch"))
    assert dialog.save.isEnabled()
