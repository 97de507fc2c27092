"""Reading along in the real window: following the stream, going to what waits, copying, walking by keys."""

import asyncio
import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton
from tests.fakes.gallery import PROSE, live_story, whole_story
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider
from tests.flows.conftest import Program

from callgate.ui.conversation.blocks import (
    BranchBlock,
    CallBlock,
    CodeBlock,
    ErrorBlock,
    ImageBlock,
    NoteBlock,
    ReasoningBlock,
    TextBlock,
    UsageBlock,
)
from callgate.ui.conversation.call_card import CallCard
from callgate.ui.result_view.view import ResultView

MakeProgram = Callable[..., Program]
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def upstream(address: str) -> str:
    return f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{address}/v1"\nmodels = ["gpt-a"]\n'


async def say(program: Program, text: str) -> None:
    composer = program.window_app.conversation.composer
    composer.message.set_text(text)
    await program.until(composer.send_button.isEnabled)
    composer.send_button.click()


async def shown(program: Program, conversation: str) -> None:
    """Opens a conversation and waits until it stands still."""
    panel = program.window_app.conversation
    panel.open(conversation)
    await program.until(lambda: panel.view.transcript.blocks and panel.view.shown)
    await frames()


async def frames() -> None:
    for _ in range(6):
        await asyncio.sleep(0.02)


async def focused(program: Program) -> None:
    view = program.window_app.conversation.view
    program.window_app.window.activateWindow()
    view.setFocus()
    await program.until(view.hasFocus)


def test_it_follows_the_stream_unless_one_has_scrolled_away(make_program: MakeProgram) -> None:
    hold, again = threading.Event(), threading.Event()
    words = [{"content": f"Paragraph {number} of the answer.\n\n"} for number in range(120)]
    replies = (Reply(chat_stream(*words), hold=hold), Reply(chat_stream(*words), hold=again))
    with provider(*replies) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            view = program.window_app.conversation.view
            bar = view.verticalScrollBar()
            await say(program, "Tell me")
            await program.until(lambda: bar.maximum() > 0 and len(view.transcript.blocks) > 50)
            assert view.following and bar.value() == bar.maximum()
            hold.set()
            await program.until(lambda: not view.transcript.running)
            await frames()
            assert bar.value() == bar.maximum(), "it stays at the end while that moves"
            await say(program, "And again")
            await program.until(lambda: len(view.transcript.blocks) > 180)
            bar.setValue(bar.maximum() // 2)
            await frames()
            top = [(one, view.widget_of(one).y()) for one in view.shown]  # type: ignore[union-attr]
            again.set()
            await program.until(lambda: not view.transcript.running)
            await frames()
            assert [(one, view.widget_of(one).y()) for one in view.shown] == top, "nothing moves under one's eyes"  # type: ignore[union-attr]
            assert view.new_button.isVisible()
            QTest.mouseClick(view.new_button, Qt.MouseButton.LeftButton)
            assert view.following and bar.value() == bar.maximum()

        program.play(flow())


def test_a_key_leads_to_the_waiting_call_and_on_to_its_buttons(make_program: MakeProgram) -> None:
    two = (
        *call_deltas(0, "call_1", "read_file", '{"path": "notes.txt"}'),
        *call_deltas(1, "call_2", "list_directory", "{}"),
    )
    long = {"content": "One more line.\n\n" * 60}
    with provider(Reply(chat_stream(long, *two, finish="tool_calls")), Reply(chat_stream({"content": "Done."}))) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            panel = program.window_app.conversation
            view, jump = panel.view, panel.jump
            await say(program, "Look around")
            await program.until(lambda: len(program.runtime.console.waiting()) == 2)
            program.window_app.approvals.dialog.reject()

            def scrolled_away() -> bool:
                # while the answer comes in, the view follows its end: a person scrolls until it stays
                view.verticalScrollBar().setValue(0)
                return jump.isVisible() and jump.text() == "2 waiting ↓"

            await program.until(scrolled_away)
            await focused(program)
            met = []
            for _ in range(3):
                program.window_app.conversation.go_to_waiting()
                block = view.transcript.block(view.current)
                assert isinstance(block, CallBlock) and view.current in view.shown
                met.append(block.tool)
            assert met == ["read_file", "list_directory", "read_file"], "one after the other, and round"
            QTest.keyClick(view, Qt.Key.Key_Return)
            card = view.widget_of(view.current)
            assert card is not None and card.isAncestorOf(program.window_app.window.focusWidget())
            program.runtime.console.stop(panel.conversation)
            await program.until(lambda: not view.transcript.running)
            assert not jump.isVisible()

        program.play(flow())


def test_words_are_selected_and_copied_across_blocks(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        for event in whole_story("story", time.time()):
            program.runtime.bus.publish(event)
        view = program.window_app.conversation.view
        await shown(program, "story")
        await focused(program)
        texts = [b for b in view.transcript.blocks if isinstance(b, TextBlock)]
        code = [b for b in view.transcript.blocks if isinstance(b, CodeBlock)]
        view.reveal_block(code[0].id)
        await frames()
        first = view.widget_of(code[0].id)
        after = view.widget_of(view.transcript.blocks[view.transcript.index(code[0].id) + 1].id)
        assert first is not None and after is not None
        start = first.childAt(first.rect().center())
        QTest.mousePress(start, Qt.MouseButton.LeftButton, pos=QPoint(2, 4))
        target = start.mapFrom(view.viewport(), after.geometry().center())
        QTest.mouseMove(start, target)
        QTest.mouseRelease(start, Qt.MouseButton.LeftButton, pos=target)
        await frames()
        QTest.keyClick(view, Qt.Key.Key_C, CTRL)
        copied = QGuiApplication.clipboard().text()
        assert "with self._lock:" in copied and "TypeScript client" in copied
        QTest.keyClick(view, Qt.Key.Key_Escape)
        view.set_current(texts[0].id)
        QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
        QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
        QTest.keyClick(view, Qt.Key.Key_C, CTRL)
        copied = QGuiApplication.clipboard().text()
        assert texts[0].text.strip() in copied
        QTest.keyClick(view, Qt.Key.Key_A, CTRL)
        QTest.keyClick(view, Qt.Key.Key_C, CTRL)
        copied = QGuiApplication.clipboard().text()
        assert "Why does `test_sync`" in copied and "public signature is unchanged" in copied

    program.play(flow())


def test_everything_is_reached_by_keys(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        for event in whole_story("story", time.time()):
            program.runtime.bus.publish(event)
        view = program.window_app.conversation.view
        await shown(program, "story")
        await focused(program)
        QTest.keyClick(view, Qt.Key.Key_Home)
        await frames()
        assert view.verticalScrollBar().value() == 0
        met: list[str] = []
        for _ in range(200):
            QTest.keyClick(view, Qt.Key.Key_J)
            if met and view.current == met[-1]:
                break
            met.append(view.current)
        wanted = [b.id for b in view.transcript.blocks if isinstance(b, TextBlock | CodeBlock | CallBlock | ErrorBlock)]
        assert set(wanted) <= set(met), "J comes to all that says something"
        thought = next(b for b in view.transcript.blocks if isinstance(b, ReasoningBlock))
        view.reveal_block(thought.id)
        await frames()
        row = view.widget_of(thought.id)
        assert row is not None and row.accessibleName().endswith("folded")
        folded = row.height()
        QTest.keyClick(view, Qt.Key.Key_Return)
        await frames()
        assert row.accessibleName().endswith(", unfolded") and row.height() > folded
        QTest.keyClick(view, Qt.Key.Key_End)
        assert view.following

    program.play(flow())


def test_all_that_can_be_in_a_conversation_is_shown_as_what_it_is(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        for event in whole_story("story", time.time()):
            program.runtime.bus.publish(event)
        view = program.window_app.conversation.view
        await shown(program, "story")
        blocks = view.transcript.blocks
        assert {b.language for b in blocks if isinstance(b, CodeBlock)} == {"python", "typescript", "sql"}
        assert len([b for b in blocks if isinstance(b, ImageBlock)]) == 2
        assert [b.round for b in blocks if isinstance(b, UsageBlock)] == [1, 2, 3, 1]
        assert [b.title for b in blocks if isinstance(b, ErrorBlock)] == ["Too many requests"]
        assert [(b.number, b.shown) for b in blocks if isinstance(b, BranchBlock)] == [(1, True), (2, True)]
        marked = {b.note for b in blocks if isinstance(b, NoteBlock)}
        assert marked >= {"system", "tools", "edited", "denied", "answered", "trimmed", "reviewed", "cut"}
        states, kinds = [], []
        for block in [b for b in blocks if isinstance(b, CallBlock)]:
            view.reveal_block(block.id)
            await frames()
            card = view.widget_of(block.id)
            assert isinstance(card, CallCard)
            states.append(card.accessibleName().rpartition(", ")[2])
            result = card.findChild(ResultView)
            kinds.append(result.kinds[0] if result is not None and result.isVisible() and result.kinds else "")
        assert states == [
            "done", "done", "done", "done", "done", "denied", "answered", "failed", "released", "done", "cancelled",
            "timed out", "done",
        ]  # fmt: skip
        assert kinds[:5] == ["table", "JSON", "diff", "terminal", "picture"]

    program.play(flow())


def test_a_running_call_tells_how_far_it_is_and_a_forming_one_what_is_wrong(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        for event in live_story("live", time.time()):
            program.runtime.bus.publish(event)
        view = program.window_app.conversation.view
        program.window_app.conversation.open("live")
        await program.until(lambda: len([b for b in view.transcript.blocks if isinstance(b, CallBlock)]) == 3)
        await frames()
        running, waiting, forming = (b.id for b in view.transcript.blocks if isinstance(b, CallBlock))
        view.reveal_block(running)
        await frames()
        said = {label.text() for label in view.widget_of(running).findChildren(QLabel) if label.isVisible()}  # type: ignore[union-attr]
        assert {"running", "Output so far"} <= said
        view.reveal_block(waiting)
        await frames()
        card = view.widget_of(waiting)
        assert card is not None
        assert not card.findChild(QPushButton, "approveButton").isVisible(), "it is in the dialog"
        card.findChild(QPushButton, "decideHere").click()
        for verb in ("approveButton", "denyButton", "answerButton"):
            await program.until(card.findChild(QPushButton, verb).isVisible)
        view.reveal_block(forming)
        await frames()
        card = view.widget_of(forming)
        assert card is not None
        assert card.findChild(QLabel, "earlyVerdict").isVisible()
        assert "colour" in card.findChild(QLabel, "schemaErrors").text()
        raw = card.findChild(QToolButton, "rawArguments")
        assert not raw.isVisible(), "while it forms it is a tree"

    program.play(flow())


def test_the_whole_answer_can_be_found_again_word_for_word(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        for event in whole_story("story", time.time()):
            program.runtime.bus.publish(event)
        view = program.window_app.conversation.view
        await shown(program, "story")
        heading = next(b for b in view.transcript.blocks if isinstance(b, TextBlock) and "What I found" in b.text)
        assert view.message_text(heading.id).split() == PROSE.split()

    program.play(flow())


def test_every_block_looks_the_same_live_and_reopened(make_program: MakeProgram) -> None:
    program = make_program()
    begun = time.time()

    async def live() -> list[QImage]:
        panel = program.window_app.conversation
        opening, *rest = whole_story("story", begun)
        program.runtime.bus.publish(opening)
        panel.open("story")
        await program.until(lambda: panel.view.transcript.blocks)
        for event in rest:
            program.runtime.bus.publish(event)
        await program.until(lambda: not panel.view.transcript.running)
        await program.runtime.journal.settled()
        return await pictures(program)

    before = program.play(live())
    program.restart()

    async def reopened() -> list[QImage]:
        await shown(program, "story")
        return await pictures(program)

    after = program.play(reopened())
    assert len(after) == len(before) > 10
    for number, (one, other) in enumerate(zip(before, after, strict=True)):
        assert one == other, f"screen {number}"


async def pictures(program: Program) -> list[QImage]:
    """The whole column, screen by screen, at a size of its own."""
    view = program.window_app.conversation.view
    program.window_app.window.resize(1280, 800)
    program.window_app.window.setFocus()
    await frames()
    view.setFixedSize(620, 560)
    await frames()
    taken = []
    for block in view.transcript.blocks[::4]:
        view.reveal_block(block.id)
        await frames()
        view.set_current("")
        taken.append(view.viewport().grab().toImage())
    return taken
