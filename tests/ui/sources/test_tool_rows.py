from dataclasses import replace

from pytestqt.modeltest import ModelTester

from callgate.core.tool import Tool
from callgate.ui.sources.tool_rows import ToolRows, about
from callgate.ui.theme.theme import Theme

READ = Tool("read", "s", "Reads.\nMore words.")


def test_tools_are_listed_with_their_first_line_and_why_they_are_off(theme: Theme, qtmodeltester: ModelTester) -> None:
    rows = ToolRows(theme)
    qtmodeltester.check(rows.model)
    rows.show_tools((READ, replace(READ, name="off", enabled=False)), ("read: bad schema",))
    assert [rows.model.index(row, 1).data() for row in (0, 1)] == ["Reads.", "switched off · Reads."]
    assert rows.problems.text() == "read: bad schema"
    rows.show_tools(())
    assert rows.model.rowCount() == 0 and rows.problems.isHidden()
    assert about(replace(READ, unavailable="blocked")) == "blocked · Reads."
    assert about(replace(READ, description="")) == "no description"


def test_a_tool_is_opened_by_its_row(theme: Theme) -> None:
    rows, opened = ToolRows(theme), []
    rows.show_tools((READ, replace(READ, name="write")))
    rows.opened.connect(opened.append)
    rows.view.activated.emit(rows.model.index(1, 1))
    assert opened == ["write"]
