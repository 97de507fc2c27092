from dataclasses import replace

import orjson
import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTextEdit, QToolButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, completed, sample_tools
from tests.fakes.loop import BoundLoop

from callgate.core.catalog.definition_diff import diff
from callgate.core.catalog.tool_statistics import PastCall, ToolStatistics
from callgate.core.events import InvocationChanged
from callgate.core.rules.policy import Rule
from callgate.core.tool import CLIENT_SOURCE, Tool
from callgate.engine.offer.tool_service import Version
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.detail import HISTORY, SCHEMA, TRY, USE, ToolDetail
from callgate.ui.tools.history_page import VersionCard
from callgate.ui.tools.tool_cache import ToolCache

READ, RUN = sample_tools()[0], sample_tools()[3]
CALL = PastCall("i", "conv_9", "claude-code", NOON, "Completed", "UserAction", "person", ran=0.3)


@pytest.fixture
def detail(loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, qtbot: QtBot) -> ToolDetail:
    console.tool_list = list(sample_tools())
    detail = ToolDetail(console, bridge, theme, ToolCache(console, bridge))
    qtbot.addWidget(detail)
    detail.resize(300, 600)
    detail.show()
    return detail


def _texts(detail: ToolDetail) -> set[str]:
    QApplication.processEvents()  # labels that a layout takes are shown in the next turn
    told = {label.text() for label in detail.findChildren(QLabel) if label.isVisible()}
    return told | {text.toPlainText() for text in detail.findChildren(QTextEdit) if text.isVisible()}


def test_a_tool_is_told_in_full(detail: ToolDetail, loop: BoundLoop) -> None:
    detail.show_tool(READ)
    loop.until(lambda: "No findings" in _texts_now(detail))  # it is looked through in slices of a few milliseconds
    texts = _texts(detail)
    assert {"read_file", "Read file · built-in · enabled", READ.description, "Declared read-only"} <= texts
    assert {"files", "read"} <= texts
    assert any(text.startswith("About ") and "tokens in every request" in text for text in texts)
    assert {"OpenAI", "Anthropic", "Gemini", "estimated"} <= texts and not any("counted" in text for text in texts)


def test_what_is_for_the_person_and_what_for_the_model_are_told_apart(detail: ToolDetail) -> None:
    detail.show_tool(replace(READ, user_description="Reads **your** files."))
    assert {"For you", "Reads your files.", "For the model", READ.description} <= _texts(detail)


def test_findings_are_told_with_what_to_do(detail: ToolDetail, loop: BoundLoop) -> None:
    detail.show_tool(replace(READ, name="delete_file", description=""))
    loop.until(lambda: "It has no description for the model." in _texts_now(detail))
    texts = _texts(detail)
    assert "It says that it only reads, but its name says “delete”." in texts


def test_another_tool_replaces_all_of_the_first(detail: ToolDetail) -> None:
    detail.show_tool(READ)
    detail.show_tool(RUN)
    texts = _texts(detail)
    assert {"run_command", "Run command · built-in · disabled"} <= texts
    assert not {"read_file", "Declared read-only"} & texts
    detail.tabs.setCurrentIndex(SCHEMA)
    assert [row.name for row in detail.schema.parameters.rows] == ["command", "timeout", "environment", "name", "value"]


def test_the_definition_can_be_copied_as_json(detail: ToolDetail, qapp: QApplication) -> None:
    detail.show_tool(READ)
    copy = next(b for b in detail.findChildren(QToolButton) if b.accessibleName() == "Copy the definition as JSON")
    copy.click()
    definition = orjson.loads(qapp.clipboard().text())
    assert definition["name"] == "read_file"
    assert definition["inputSchema"]["required"] == ["path"]
    assert copy.accessibleName() == "Copied"


def test_hidden_characters_of_a_description_are_shown(detail: ToolDetail) -> None:
    detail.show_tool(replace(READ, description="Reads.\u202eevil"))
    assert any("U+202E" in text for text in _texts(detail))


def test_markup_of_strangers_does_nothing(detail: ToolDetail) -> None:
    detail.show_tool(replace(READ, description="<img src='http://x'> ![a](http://x/y.png)", title="<b>t</b>"))
    texts = _texts(detail)
    assert "<b>t</b> · built-in · enabled" in texts
    assert any("not fetched" in text and "<img" in text for text in texts)


def test_the_result_is_offered_only_where_it_is_declared(detail: ToolDetail) -> None:
    detail.tabs.setCurrentIndex(SCHEMA)
    button = detail.findChild(QPushButton, "schemaResult")
    detail.show_tool(READ)
    assert not button.isVisible()
    detail.show_tool(replace(READ, output_schema={"type": "object", "properties": {"lines": {"type": "array"}}}))
    button.click()
    assert [row.name for row in detail.schema.output.rows] == ["lines"]
    detail.show_tool(READ)
    assert [row.name for row in detail.schema.parameters.rows] == ["path", "start", "limit"]


def test_the_definition_is_shown_as_json(detail: ToolDetail, qtbot: QtBot) -> None:
    detail.tabs.setCurrentIndex(SCHEMA)
    detail.show_tool(READ)
    detail.findChild(QPushButton, "schemaJSON").click()
    qtbot.waitUntil(lambda: detail.schema.raw.is_loaded, timeout=5000)
    assert orjson.loads(detail.schema.raw.text.toPlainText())["name"] == "read_file"


def test_use_is_told_in_figures_and_plots_and_leads_to_conversations(
    detail: ToolDetail, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    console.tool_service.counted["read_file"] = ToolStatistics(
        calls=12, approved=3, allowed=8, denied=1, p50=0.2, p95=1.5, times=(0.1, 0.2, 1.5), latest=(CALL,)
    )
    console.rule_list = [Rule("allow", "read_*", origin="always"), Rule("deny", "write_*")]

    async def asked() -> None:
        detail.show_tool(READ)
        detail.tabs.setCurrentIndex(USE)

    loop.run(asked())
    loop.until(lambda: bool(detail.use.times.values))
    texts = _texts(detail)
    assert {"12", "calls", "0.2 s", "1.5 s", "Allow read_*", "always"} <= texts
    opened: list[str] = []
    detail.open_requested.connect(opened.append)
    detail.findChild(QPushButton, "toolCall").click()
    assert opened == ["conv_9"]


def test_a_call_that_ends_counts_at_once(
    detail: ToolDetail, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    async def play() -> None:
        detail.show_tool(READ)
        detail.tabs.setCurrentIndex(USE)

    loop.run(play())
    loop.until(lambda: "Never called so far." in _texts_now(detail))
    console.tool_service.counted["read_file"] = ToolStatistics(calls=1, latest=(CALL,))

    async def call() -> None:
        console.play([InvocationChanged(completed("read_file"), NOON)])
        bridge.flush()

    loop.run(call())
    loop.until(lambda: detail.findChild(QPushButton, "toolCall") is not None)


def _texts_now(detail: ToolDetail) -> set[str]:
    return {label.text() for label in detail.findChildren(QLabel) if label.isVisible()}


def test_a_history_tells_what_changed_and_compares(detail: ToolDetail, console: FakeConsole, loop: BoundLoop) -> None:
    later = replace(READ, description="Reads, and tells me all.")
    console.tool_service.versions["read_file"] = (
        Version(NOON, NOON, "b", diff(READ, later), READ.definition, later.definition),
        Version(NOON - 99, NOON, "a", after=READ.definition),
    )

    async def play() -> None:
        detail.show_tool(READ)
        detail.tabs.setCurrentIndex(HISTORY)

    loop.run(play())
    loop.until(lambda: detail.findChild(QToolButton, "toolCompare") is not None)
    assert any(text.startswith("•  description changed") for text in _texts_now(detail) | _texts(detail))
    card = detail.history.findChild(QToolButton, "toolCompare").parent()
    card.compare.click()
    assert card.diff.isVisible()


def test_another_theme_keeps_an_open_diff_open_and_a_search_in_the_schema(
    detail: ToolDetail, console: FakeConsole, loop: BoundLoop, theme: Theme
) -> None:
    later = replace(READ, description="Reads, and tells me all.")
    other = replace(READ, description="Reads.")
    console.tool_service.versions["read_file"] = (
        Version(NOON, NOON, "c", diff(other, later), other.definition, later.definition),
        Version(NOON - 50, NOON, "b", diff(READ, other), READ.definition, other.definition),
        Version(NOON - 99, NOON, "a", after=READ.definition),
    )
    detail.show_tool(READ)
    loop.press(lambda: detail.tabs.setCurrentIndex(HISTORY))
    loop.until(lambda: detail.history.findChild(QToolButton, "toolCompare") is not None)

    def cards() -> dict[str, VersionCard]:
        found = detail.history.findChildren(VersionCard)
        return {card.version.fingerprint: card for card in found if card.isVisible()}

    before = cards()
    before["b"].compare.click()
    detail.schema.parameters.search.setText("path")
    loop.press(lambda: theme.set_mode("light" if theme.is_dark else "dark"))
    loop.until(lambda: set(cards()) == {"b", "c"} and cards()["b"] is not before["b"])
    assert cards()["b"].diff.isVisible() and not cards()["c"].diff.isVisible()
    assert detail.schema.parameters.search.text() == "path"


def test_an_agents_own_tool_has_no_history_and_cannot_be_tried(detail: ToolDetail) -> None:
    detail.show_tool(Tool("apply_patch", CLIENT_SOURCE, "Patches a file of the agent."))
    assert not detail.tabs.isTabVisible(HISTORY) and not detail.tabs.isTabVisible(TRY)
    assert {"client · the agent's own", "No findings", "Cost"} <= _texts(detail)
    detail.show_tool(READ)
    assert detail.tabs.isTabVisible(HISTORY) and detail.tabs.isTabVisible(TRY)


def test_a_change_of_theme_keeps_the_tool(detail: ToolDetail, theme: Theme) -> None:
    detail.show_tool(RUN)
    theme.set_mode("light")
    assert "run_command" in _texts(detail)
    assert detail.tool == RUN
