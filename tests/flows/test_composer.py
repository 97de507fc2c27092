"""A person writes to a model in the real window: choices, files, another try, `#` names."""

import base64
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from tests.fakes.scripted_provider import Reply, chat_stream, provider
from tests.flows.conftest import Program

from callgate.core.calls.invocation import Decision
from callgate.ui.conversation.blocks import BranchBlock, ErrorBlock, ImageBlock, NoteBlock, TextBlock

MakeProgram = Callable[..., Program]


def upstream(address: str) -> str:
    return f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{address}/v1"\nmodels = ["gpt-a", "gpt-b"]\n'


async def send(program: Program, text: str) -> None:
    composer = program.window_app.conversation.composer
    await program.until(lambda: not program.window_app.conversation.view.transcript.running)
    composer.message.set_text(text)
    await program.until(composer.send_button.isEnabled)
    composer.send_button.click()


def texts(program: Program) -> list[str]:
    return [b.text for b in program.window_app.conversation.view.transcript.blocks if isinstance(b, TextBlock)]


async def answered(program: Program, words: str) -> None:
    view = program.window_app.conversation.view
    await program.until(lambda: words in texts(program) and not view.transcript.running)


def test_model_tools_and_system_prompt_belong_to_the_conversation(make_program: MakeProgram) -> None:
    with provider(*(Reply(chat_stream({"content": f"Answer {n}."})) for n in range(4))) as up:
        program = make_program(upstream(up.address))

        async def first() -> str:
            composer = program.window_app.conversation.composer
            await program.until(lambda: composer.models.findData("gpt-b") >= 0 or composer.refresh_models())
            composer.models.choose("gpt-b")
            composer.system.setPlainText("Answer in French.")
            composer.tools_button.click()
            composer.chooser.none_button.click()
            read = next(item for item in composer.chooser._items() if item.text(0) == "read_file")
            read.setCheckState(0, Qt.CheckState.Checked)
            await send(program, "Bonjour")
            await answered(program, "Answer 0.")
            return program.window_app.conversation.conversation

        conversation = program.play(first())
        body = up.asked[-1].body
        assert body["model"] == "gpt-b"
        assert body["messages"][0] == {"role": "system", "content": "Answer in French."}
        assert [tool["function"]["name"] for tool in body["tools"]] == ["read_file"]
        program.restart()

        async def second() -> None:
            panel = program.window_app.conversation
            panel.open(conversation)
            await answered(program, "Answer 0.")
            await program.until(lambda: panel.composer.setup.model == "gpt-b")
            assert panel.composer.setup.system == "Answer in French."
            assert panel.composer.setup.tools == ("read_file",)
            await send(program, "Encore")
            await answered(program, "Answer 1.")

        program.play(second())
        sent = up.asked[-1].body["messages"]
        assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]


def test_the_last_turn_is_edited_and_both_tries_stay(make_program: MakeProgram) -> None:
    with provider(*(Reply(chat_stream({"content": f"Answer {n}."})) for n in range(5))) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            panel = program.window_app.conversation
            await send(program, "One")
            await answered(program, "Answer 0.")
            await send(program, "Two")
            await answered(program, "Answer 1.")
            program.find(QToolButton, "editLastButton").click()
            assert panel.composer.message.toPlainText() == "Two"
            await send(program, "Two, but better")
            await answered(program, "Answer 2.")
            sent = up.asked[-1].body["messages"]
            assert [message["content"] for message in sent] == ["One", "Answer 0.", "Two, but better"]
            tries = [b for b in panel.view.transcript.blocks if isinstance(b, BranchBlock)]
            assert [(one.number, one.title, one.shown) for one in tries] == [
                (1, "Two", False),
                (2, "Two, but better", True),
            ]
            assert "Answer 1." not in texts(program)
            panel.view.reveal_block(tries[0].id)
            widget = panel.view.widget_of(tries[0].id)
            assert widget is not None
            widget.enter()
            assert "Answer 1." in texts(program) and "Answer 2." not in texts(program)
            await send(program, "Three")
            await answered(program, "Answer 3.")
            sent = up.asked[-1].body["messages"]
            assert [message["content"] for message in sent] == ["One", "Answer 0.", "Two", "Answer 1.", "Three"]
            [conversation] = await program.runtime.journal.conversations()
            assert conversation.exchanges == 4, "all tries are in one conversation"

        program.play(flow())


def test_pictures_and_files_go_along(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Milk\n", "utf-8")
    with provider(Reply(chat_stream({"content": "I see."}))) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            composer = program.window_app.conversation.composer
            picture = QImage(30, 20, QImage.Format.Format_RGB32)
            picture.fill(QColor("green"))
            pasted = QMimeData()
            pasted.setImageData(picture)
            composer.message.insertFromMimeData(pasted)
            dropped = QMimeData()
            dropped.setUrls([QUrl.fromLocalFile(str(tmp_path / "notes.md"))])
            composer.message.insertFromMimeData(dropped)
            await program.until(lambda: len(composer.enclosures.enclosures) == 2)
            await send(program, "What is this?")
            await answered(program, "I see.")
            [image] = [b for b in program.window_app.conversation.view.transcript.blocks if isinstance(b, ImageBlock)]
            assert image.data

        program.play(flow())
        content = up.asked[-1].body["messages"][-1]["content"]
        assert [part["type"] for part in content] == ["image_url", "text", "text"]
        assert base64.b64decode(content[0]["image_url"]["url"].partition(",")[2]).startswith(b"\x89PNG")
        assert "# Milk" in content[1]["text"] and content[2]["text"] == "What is this?"


def test_a_hash_completes_tools_and_the_model_gets_them_first(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        composer = program.window_app.conversation.composer
        program.window_app.window.activateWindow()
        composer.message.setFocus()
        await program.until(composer.message.hasFocus)
        QTest.keyClicks(composer.message, "#read_f")
        await program.until(composer.references.isVisible)
        assert "read_file" in composer.references.names[0]
        QTest.keyClick(composer.message, Qt.Key.Key_Tab)
        assert composer.message.toPlainText().startswith("#read_file")

    program.play(flow())


def test_a_hash_completes_a_toolset_and_all_of_its_tools_come_first(make_program: MakeProgram) -> None:
    with provider(Reply(chat_stream({"content": "Looked."}))) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            window_app, composer = program.window_app, program.window_app.conversation.composer
            window_app.window.show_page("sources")
            await program.click("toolsetsButton")
            dialog = window_app.sources.toolset_dialog
            await program.until(dialog.isVisible)
            dialog.start_new()
            dialog.name.setText("historian")
            dialog.members.add(["git_log", "git_diff"])
            await program.click("toolsetSave", dialog)
            dialog.hide()
            window_app.window.leave_page()
            window_app.conversation.start_new()
            window_app.window.show_conversation("new")
            await program.until(lambda: composer.models.findData("gpt-b") >= 0 or composer.refresh_models())
            composer.models.choose("gpt-b")
            window_app.window.activateWindow()
            composer.message.setFocus()
            await program.until(composer.message.hasFocus)
            QTest.keyClicks(composer.message, "Ask the #hist")
            await program.until(composer.references.isVisible)
            assert composer.references.names[0] == "historian"
            QTest.keyClick(composer.message, Qt.Key.Key_Tab)
            assert composer.message.toPlainText() == "Ask the #historian "
            await program.until(composer.send_button.isEnabled)
            composer.send_button.click()
            await answered(program, "Looked.")

        program.play(flow())
        offered = [tool["function"]["name"] for tool in up.asked[-1].body["tools"]]
        assert set(offered[:2]) == {"git_log", "git_diff"} and len(offered) > 2


def test_an_answer_can_be_stopped(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        panel = program.window_app.conversation
        await send(program, "What does notes.txt say?")
        [waiting] = await program.until(program.runtime.console.waiting)
        program.window_app.approvals.dialog.reject()
        await program.until(lambda: panel.conversation == waiting.conversation_id)
        await program.until(panel.composer.stop_button.isVisible)
        panel.composer.stop_button.click()
        await program.until(lambda: not panel.view.transcript.running)
        assert program.runtime.console.waiting() == ()
        await program.until(panel.composer.edit_button.isEnabled)
        assert not panel.composer.error.isVisible() and not panel.composer.message.toPlainText(), "it is no failure"
        blocks = panel.view.transcript.blocks
        assert not [block for block in blocks if isinstance(block, ErrorBlock)]
        said = [block.text for block in blocks if isinstance(block, NoteBlock) and block.note == "stopped"]
        assert said == ["Stopped before the answer was complete: you ended it."]

    program.play(flow())


def test_what_was_sent_comes_back_by_keys_and_drafts_stay_where_they_were_written(make_program: MakeProgram) -> None:
    with provider(*(Reply(chat_stream({"content": f"Answer {n}."})) for n in range(3))) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            panel = program.window_app.conversation
            message = panel.composer.message
            await send(program, "One")
            await answered(program, "Answer 0.")
            await send(program, "Two")
            await answered(program, "Answer 1.")
            first = panel.conversation
            program.window_app.window.activateWindow()
            message.setFocus()
            await program.until(message.hasFocus)
            QTest.keyClicks(message, "half a thought")
            alt = Qt.KeyboardModifier.AltModifier
            QTest.keyClick(message, Qt.Key.Key_Up, alt)
            assert message.toPlainText() == "Two"
            QTest.keyClick(message, Qt.Key.Key_Up, alt)
            assert message.toPlainText() == "One"
            QTest.keyClick(message, Qt.Key.Key_Down, alt)
            QTest.keyClick(message, Qt.Key.Key_Down, alt)
            assert message.toPlainText() == "half a thought"
            panel.start_new()
            assert message.toPlainText() == "", "it was meant for the other conversation"
            panel.open(first)
            assert message.toPlainText() == "half a thought"

        program.play(flow())


def test_an_edited_turn_keeps_its_files(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Milk\n", "utf-8")
    with provider(*(Reply(chat_stream({"content": f"Answer {n}."})) for n in range(2))) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            panel = program.window_app.conversation
            composer = panel.composer
            composer.add_files([tmp_path / "notes.md"])
            await program.until(lambda: composer.enclosures.enclosures)
            await send(program, "What is this?")
            await answered(program, "Answer 0.")
            program.window_app.window.activateWindow()
            composer.message.setFocus()
            await program.until(composer.message.hasFocus)
            QTest.keyClick(composer.message, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
            assert composer.message.toPlainText() == "What is this?"
            assert len(composer.enclosures.enclosures) == 1
            await send(program, "What is that?")
            await answered(program, "Answer 1.")

        program.play(flow())
        content = up.asked[-1].body["messages"][-1]["content"]
        assert "# Milk" in content[0]["text"] and content[1]["text"] == "What is that?"


def test_a_reading_tool_that_the_message_names_is_called_unasked_once(make_program: MakeProgram) -> None:
    def call(number: int) -> dict[str, object]:
        function = {"name": "read_file", "arguments": '{"path": "notes.txt"}'}
        return {"index": 0, "id": f"call_{number}", "type": "function", "function": function}

    asking = [Reply(chat_stream({"tool_calls": [call(number)]}, finish="tool_calls")) for number in range(3)]
    with provider(*asking, Reply(chat_stream({"content": "Done."}))) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            composer = program.window_app.conversation.composer
            await program.until(lambda: composer.models.findData("gpt-b") >= 0 or composer.refresh_models())
            composer.models.choose("gpt-b")
            await send(program, "Please #read_file notes.txt")
            (second,) = await program.until(program.runtime.console.waiting)
            assert second.round == 2, "the first was named with the click that sent the message; this one was not"
            program.runtime.console.decide(second.id, Decision("deny"), "test")
            (third,) = await program.until(lambda: [one for one in program.runtime.console.waiting() if one.round == 3])
            program.runtime.console.decide(third.id, Decision("deny"), "test")
            await answered(program, "Done.")
            past = await program.runtime.console.past_invocations()
            first = next(one for one in past if one.round == 1)
            assert (first.decided_by, first.reason, first.state) == ("person", "UserAction", "Completed")

        program.play(flow())
