"""The page on which a tool is tried, over a pretended engine."""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QLabel, QPushButton
from tests.fakes.console import FakeConsole, completed, running, waiting
from tests.fakes.loop import BoundLoop

from callgate.core.catalog.tool_example import ToolExample
from callgate.core.events import ToolOutput
from callgate.core.messages import Image, Text, ToolResult
from callgate.core.tool import Tool
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.try_it.editor import NARROW
from callgate.ui.tools.try_it.page import TryIt

GREET = Tool(
    "greet",
    "src",
    schema={
        "type": "object",
        "required": ["who"],
        "properties": {"who": {"type": "string"}, "times": {"type": "integer"}},
        "examples": [{"who": "the world"}],
    },
)
OTHER = Tool("other", "src", schema={"type": "object", "properties": {"x": {"type": "integer"}}})


@pytest.fixture
def page(console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop) -> Iterator[TryIt]:
    page = TryIt(console, bridge, theme)
    page.resize(900, 700)
    page.show()
    act(loop, lambda: page.show_tool(GREET))
    yield page


def act(loop: BoundLoop, work: Callable[[], object]) -> None:
    """Does what a person does: while the loop runs."""

    async def done() -> None:
        work()

    loop.run(done())


def said(page: TryIt, name: str) -> str:
    label = page.findChild(QLabel, name)
    assert label is not None
    return label.text() if label.isVisibleTo(page) else ""


def png() -> str:
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.fill(0)
    holder = QBuffer()
    holder.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(holder, "PNG")  # type: ignore[call-overload]
    return base64.b64encode(holder.data().data()).decode("ascii")


def test_what_is_filled_in_is_what_is_called(page: TryIt, console: FakeConsole, loop: BoundLoop) -> None:
    page.editor.set_arguments({"who": "Ada\u200b", "times": 10**25})
    act(loop, page.run.click)
    assert [(tool, json.loads(text)) for tool, text in console.tries.ran] == [
        ("greet", {"who": "Ada\u200b", "times": 10**25})
    ]


def test_each_step_of_a_try_is_shown_as_it_comes(
    page: TryIt, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    shown: list[tuple[str, str]] = []

    def play(invocation_id: str) -> None:
        for step in (waiting, running, completed):
            console.change(replace(step("greet"), id=invocation_id))
            if step is running:
                console.play([ToolOutput(invocation_id, "c", "half way", console.now, 1.0, 2.0)])
            bridge.flush()
            shown.append((said(page, "tryState"), page.progress.said.toPlainText().strip()))

    console.tries.ended = play
    page.editor.set_arguments({"who": "Ada"})
    act(loop, page.run.click)
    assert shown == [("waiting", ""), ("running", "half way"), ("done", "half way")]
    assert page.progress.bar.maximum() == 0 or page.progress.bar.isHidden()
    assert page.run.isVisibleTo(page)


def test_pictures_of_a_result_are_shown_and_nothing_is_fetched(
    page: TryIt, console: FakeConsole, bridge: Bridge
) -> None:
    parts = (Text("a picture:"), Image("image/png", data=png()), Image(url="https://example.com/x.png"))
    done = replace(completed("greet"), result=ToolResult("c", parts))
    page.progress.show_invocation(done)
    assert page.progress.result.kinds[1] == "picture"
    assert len(page.progress.result.kinds) == 3


def test_what_was_typed_for_a_tool_is_there_when_one_comes_back(page: TryIt, loop: BoundLoop) -> None:
    page.editor.set_arguments({"who": "Ada"})
    act(loop, lambda: page.show_tool(OTHER))
    assert page.editor.arguments() == {}
    act(loop, lambda: page.show_tool(GREET))
    assert page.editor.arguments() == {"who": "Ada"}


def test_a_definition_that_changes_keeps_what_was_typed(page: TryIt, loop: BoundLoop) -> None:
    page.editor.set_arguments({"who": "Ada"})
    act(
        loop,
        lambda: page.show_tool(replace(GREET, schema={"type": "object", "properties": {"who": {"type": "integer"}}})),
    )
    assert page.editor.arguments() == {"who": "Ada"}
    assert page.editor.problems()[0].path == ("who",)


def test_examples_of_the_tool_itself_can_be_used_and_not_deleted(page: TryIt, loop: BoundLoop) -> None:
    page.examples.list.setCurrentRow(0)
    assert not page.examples.delete.isEnabled()
    page.examples.use.click()
    assert page.editor.arguments() == {"who": "the world"}
    page.undo.findChild(QPushButton, "undoButton").click()  # type: ignore[union-attr]
    assert page.editor.arguments() == {}


def test_an_example_is_saved_with_the_arguments_as_they_stand(
    page: TryIt, console: FakeConsole, loop: BoundLoop
) -> None:
    page.editor.set_arguments({"who": "Ada"})
    assert not page.examples.save.isEnabled()
    page.examples.name.setText(" me ")
    page.examples.save.click()
    assert console.tries.kept == {"greet": [ToolExample("me", '{"who": "Ada"}')]}
    assert page.tabs.tabText(2) == "Examples (2)"


def test_a_refusal_is_shown_where_the_result_would_be(page: TryIt, console: FakeConsole, loop: BoundLoop) -> None:
    page.editor.set_arguments({"who": "Ada"})
    console.tries.refusal = "It is switched off."
    act(loop, page.run.click)
    assert said(page, "tryNote") == "It is switched off."
    assert said(page, "tryState") == "not run"


def test_the_call_is_copied_for_other_programs(page: TryIt, loop: BoundLoop) -> None:
    page.editor.set_arguments({"who": "Ada"})
    for action in page.copy.ways.actions():
        action.trigger()
        text = QGuiApplication.clipboard().text()
        assert "greet" in text
        assert "Ada" in text
        assert said(page, "tryHint") == f"Copied as {action.text()}."


def test_form_and_json_stand_side_by_side_only_where_there_is_room(page: TryIt, loop: BoundLoop) -> None:
    form = page.editor.form
    assert form is not None
    assert form.isVisibleTo(page)
    assert page.editor.json.isVisibleTo(page)
    page.resize(NARROW - 100, 700)
    loop.settle()
    assert not page.editor.json.isVisibleTo(page)
    page.findChild(QPushButton, "tryJSONSide").click()  # type: ignore[union-attr]
    assert page.editor.json.isVisibleTo(page)
    assert not form.isVisibleTo(page)


def test_a_tool_without_parameters_can_be_run_at_once(page: TryIt, console: FakeConsole, loop: BoundLoop) -> None:
    act(loop, lambda: page.show_tool(Tool("ping", "src", schema={"type": "object", "properties": {}})))
    act(loop, page.run.click)
    assert console.tries.ran == [("ping", "{}")]


def test_without_a_tool_nothing_can_be_done(page: TryIt, loop: BoundLoop) -> None:
    act(loop, lambda: page.show_tool(None))
    assert not page.isEnabled()
    loop.settle()


def test_json_that_would_stall_an_editor_is_shown_only_on_request(page: TryIt) -> None:
    large = {"who": "x" * 300_000}
    page.editor.set_arguments(large)
    assert not page.editor.json.isVisibleTo(page)
    page.findChild(QPushButton, "showLargeJson").click()  # type: ignore[union-attr]
    assert json.loads(page.editor.json.text()) == large
    assert page.editor.arguments() == large


def test_json_that_can_not_be_read_is_kept_while_another_tool_is_shown(page: TryIt, loop: BoundLoop) -> None:
    page.editor.json.setPlainText('{"who": "Ada", ')
    act(loop, lambda: page.show_tool(OTHER))
    assert page.editor.problems() == ()
    act(loop, lambda: page.show_tool(GREET))
    assert page.editor.json.toPlainText() == '{"who": "Ada", '
    assert "Not valid JSON" in said(page, "tryJsonFault")
