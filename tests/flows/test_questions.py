"""What a tool's server asks while a call runs: put to the person in the window, in both eras, and answered once."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit
from tests.fakes.mcp_sources import SERVERS
from tests.flows.conftest import Program

from callgate.core.events import QuestionAnswered, QuestionAsked
from callgate.core.tool import Outcome
from callgate.engine.exchange.direct_call import Caller
from callgate.ui.questions.dialog import FormSheet

MakeProgram = Callable[..., Program]


def config(era: str = "", more: str = "") -> str:
    command = f'["{sys.executable}", "{SERVERS / "versatile.py"}"]'
    return f"""
[gate]
tool_timeout_seconds = 20
[[sources]]
name = "srv"
kind = "mcp"
command = {command}
era = "{era}"
{more}
[[rules]]
verdict = "allow"
source = "srv"
"""


async def called(program: Program, name: str) -> "asyncio.Task[Outcome]":
    """A program's call of a tool of the server, under way."""
    await program.until(lambda: program.runtime.catalog.offers(name))
    work = program.runtime.direct.call(name, {}, Caller("script", "one"), lambda text, done, total: None)
    return program.runtime.tasks.start(work, "client")


def text_of(outcome: Outcome) -> str:
    return "".join(getattr(part, "text", "") for part in outcome.parts)


@pytest.mark.parametrize("era", ["", "legacy"])
def test_a_form_is_filled_in_and_the_call_goes_on(make_program: MakeProgram, era: str) -> None:
    program = make_program(config(era))
    dialog: Any = program.window_app.questions.dialog

    async def play() -> None:
        call = await called(program, "ask")
        await program.until(lambda: dialog.isVisible())
        assert dialog.findChild(QLabel, "questionHeading").text() == "“srv” asks you something"
        sheet = dialog.findChild(FormSheet)
        sheet.form.settle()
        sheet.form.set_value({"name": "Ada"})
        sheet.form.changed.emit()
        await program.click("acceptQuestion", dialog)
        assert '"Ada"' in text_of(await call)
        await program.until(lambda: not dialog.isVisible())
        (conversation,) = await program.runtime.console.conversations()
        kept = await program.runtime.console.events(conversation.id)
        asked = next(event for event in kept if isinstance(event, QuestionAsked))
        answered = next(event for event in kept if isinstance(event, QuestionAnswered))
        assert asked.asked.id == answered.question_id
        assert (answered.answer.action, answered.ending, answered.initiator) == ("accept", "answered", "dialog")

    program.play(play())


def test_a_models_words_are_written_by_a_model_and_read_first(make_program: MakeProgram) -> None:
    program = make_program(config())
    dialog: Any = program.window_app.questions.dialog

    async def play() -> None:
        call = await called(program, "sample")
        await program.until(lambda: dialog.isVisible())
        await program.click("sampleWrite", dialog)
        editor = dialog.findChild(QPlainTextEdit, "sampleText")
        words = await program.until(editor.toPlainText)
        assert not call.done()
        await program.click("acceptQuestion", dialog)
        said = text_of(await call)
        assert '"model":"callgate-demo"' in said
        assert words.splitlines()[0][:20] in said

    program.play(play())


def test_a_call_that_is_stopped_takes_its_question_away_and_closing_answers_nothing(make_program: MakeProgram) -> None:
    program = make_program(config("legacy"))
    dialog: Any = program.window_app.questions.dialog

    async def play() -> None:
        call = await called(program, "ask")
        await program.until(lambda: dialog.isVisible())
        dialog.reject()
        await program.until(lambda: program.window_app.questions.notice.isVisible())
        assert not call.done()
        await program.click("openQuestion")
        await program.until(lambda: dialog.isVisible())
        (conversation,) = await program.runtime.console.conversations()
        program.runtime.console.stop(conversation.id)
        assert (await call).is_error
        await program.until(lambda: not program.runtime.console.questions.waiting())
        assert not program.window_app.questions.notice.isVisible()

    program.play(play())


SECRET = """env = { API_KEY = "${input:key}" }
[[sources.inputs]]
id = "key"
description = "API key"
password = true
"""


def test_a_secret_that_a_server_needs_is_asked_for_when_it_starts_and_never_kept(make_program: MakeProgram) -> None:
    program = make_program(config(more=SECRET))
    dialog: Any = program.window_app.questions.dialog

    async def play() -> None:
        await program.until(lambda: dialog.isVisible())
        field = dialog.findChild(QLineEdit, "questionField")
        assert field.echoMode() == QLineEdit.EchoMode.Password
        field.setText("s3cret-of-mine")
        await program.click("acceptQuestion", dialog)
        await program.until(lambda: program.runtime.catalog.offers("echo"))
        await program.runtime.journal.settled()

    program.play(play())
    data = program.runtime.launch.data_folder
    assert not any(b"s3cret-of-mine" in path.read_bytes() for path in data.rglob("*") if path.is_file())


def test_the_end_of_the_program_does_not_wait_for_an_answer(make_program: MakeProgram) -> None:
    program = make_program(config(more=SECRET))

    async def play() -> None:
        await program.until(lambda: program.window_app.questions.dialog.isVisible())

    program.play(play())
    (before,) = program.runtime.console.questions.waiting()
    program.restart()
    program.play(play())
    (after,) = program.runtime.console.questions.waiting()
    assert before.id != after.id
