"""One conversation: its column of blocks and the place to write. Opens stored ones and follows live ones alike."""

import asyncio
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from callgate.core.events import Event, ExchangeStarted, conversation_of
from callgate.core.messages import Text, ToolResult, Usage
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge, joined
from callgate.ui.conversation.blocks import Block, CallBlock, CodeBlock, SpeakerBlock, TextBlock, UsageBlock
from callgate.ui.conversation.column_view import ColumnView
from callgate.ui.conversation.composer.composer import Composer
from callgate.ui.conversation.find_bar import FindBar
from callgate.ui.conversation.loading import RECENT, Hearing, read_at_once, read_in_slices
from callgate.ui.conversation.spacing import guesses
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.conversation.turns import OWN_AGENT
from callgate.ui.conversation.view import ConversationView
from callgate.ui.shell.palette_entry import PaletteEntry
from callgate.ui.theme.theme import M, Theme
from callgate.ui.widgets.empty_state import EmptyState

_PAUSE_MS: Final = 120
"""The window itself comes first."""
_RESULTS: Final = ('{"a": {"b": 1}}', "a line\nanother")


class WarmUp(QObject):
    """Makes one widget of each common kind while nobody waits, so that the first conversation opens as fast as the
    next.

    The first of a kind is slow: fonts are loaded, styles are read. One kind in each turn, and none once it is too
    late.
    """

    def __init__(self, view: ColumnView) -> None:
        super().__init__(view)
        self._view = view
        self._kinds = _samples()
        self._timer = QTimer(self)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._next)

    @property
    def is_done(self) -> bool:
        return not self._kinds

    def start(self) -> None:
        if self._kinds:
            self._timer.start()

    def _next(self) -> None:
        if self._view.transcript.blocks:
            self._kinds = []  # the real ones have done it
        if self._kinds:
            self._view.warm_up(self._kinds.pop())
        if not self._kinds:
            self._timer.stop()


def _samples() -> list[Block]:
    """The last comes first: the slowest."""
    calls = [
        CallBlock(
            id=f"warm {number}", exchange_id="", call_id="", tool="x", written='{"a": 1}', whole=True,
            returned=ToolResult("", (Text(result),)),
        )
        for number, result in enumerate(_RESULTS)
    ]  # fmt: skip
    return [
        SpeakerBlock(id="warm who", exchange_id="", role="user", who="x"),
        UsageBlock(id="warm cost", exchange_id="", round=1, usage=Usage(1, 1), seconds=1),
        CodeBlock(id="warm code", exchange_id="", text="x = 1", language="py"),
        TextBlock(id="warm text", exchange_id="", text="**a** `b`\n\n- c"),
        *calls,
    ]


class ConversationPanel(QWidget):
    opened = Signal(str)
    """Another conversation is shown now; empty = none, the next message starts one."""

    def __init__(self, console: Console, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("pane", True)
        self._console, self._bridge, self._theme = console, bridge, theme
        self._conversation = ""
        self._expected = ""
        """A message that starts a conversation, until its first event says which."""
        self._loading: Hearing | None = None
        self._thread: tuple[object, ...] = ()
        """What the composer was last told of the conversation."""
        self.view = ConversationView(console, theme, bridge=bridge)
        self.composer = Composer(console, bridge, theme)
        self._empty = EmptyState(
            theme,
            "conversation",
            "A new conversation",
            "Ask a model something; every tool call comes through the gate.",
        )
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.view)
        self.find_bar = FindBar(self.view, theme)
        self.jump = QPushButton(self.view)
        self.jump.setObjectName("waitingJump")
        self.jump.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        column.addWidget(self.composer)
        bridge.batch.connect(self.apply)
        self.composer.sending.connect(self._expect)
        self.composer.stop_requested.connect(self._stop)
        self.jump.clicked.connect(self._jump)
        self.view.arranged.connect(self._place_jump)
        self.view.branch_chosen.connect(self._tell_thread)
        self.view.find_requested.connect(self.find_bar.open_bar)
        self.view.viewport().installEventFilter(self)
        self._offer()
        WarmUp(self.view).start()
        theme.changed.connect(self._draw)
        self._draw()
        self._show_state()

    def _draw(self) -> None:
        self.jump.setIcon(self._theme.icon("waiting", "waiting"))
        self.jump.setStyleSheet(f"color: {self._theme.tokens.waiting}; border-color: {self._theme.tokens.waiting};")

    def _offer(self) -> None:
        """What can be done with the open conversation, for whoever looks for it by name; two of it also by a key."""
        view = self.view

        def is_open() -> bool:
            return bool(self._conversation)  # also one that is still being read

        def waits() -> bool:
            return bool(view.transcript.waiting)

        def runs() -> bool:
            return view.transcript.running

        offer = partial(PaletteEntry, self, "Conversation")
        offer("Go to the waiting call", self.go_to_waiting, when=waits)
        offer("Stop the answer", self._stop, keys="Ctrl+.", when=runs)
        offer("Find in the conversation", self.find_bar.open_bar, hint="Ctrl+F", when=is_open)
        offer("Go to the end of the conversation", view.go_to_end, hint="End", when=is_open)
        offer("Copy the whole conversation", view.copy_all, when=is_open)

    @property
    def conversation(self) -> str:
        return self._conversation

    # ---- opening ---------------------------------------------------------------------------------------------------

    def open(self, conversation_id: str) -> None:
        """Shows a conversation, from its end; the one that is open already stays as it is."""
        if conversation_id == self._conversation:
            return
        self._leave()
        if not self.find_bar.isHidden():
            self.find_bar.close_bar()
        self._conversation = conversation_id
        self.view.set_transcript(Transcript())
        if conversation_id:
            self._loading = Hearing(self._console, conversation_id)
            self._bridge.start(self._load(self._loading), self, "loading a conversation")
        self._show_state()
        self.opened.emit(conversation_id)

    def start_new(self) -> None:
        """An empty page; the next message starts a conversation."""
        self.open("")
        self.composer.setFocus()

    def show_invocation(self, invocation_id: str) -> None:
        """Brings a call on screen, where this conversation has it."""
        block_id = self.view.transcript.block_of_invocation(invocation_id)
        if block_id is not None:
            self.view.reveal_block(block_id)

    async def _load(self, loading: Hearing) -> None:
        service = self._console.conversation_service
        try:
            story = await service.story(loading.conversation_id, RECENT)
            # what is still queued for the next batch is among what was heard: hand it out now, while it is ignored
            self._bridge.flush()
            if loading is not self._loading:
                return
            transcript = read_at_once(loading.complete(story.events))
            await asyncio.sleep(0)  # folding and laying out are a frame each
            self._bridge.flush()
            if loading is not self._loading:
                return
            self._loading = None
            late = loading.take()
            if late:
                transcript.apply_all(joined(late))
            self.view.set_transcript(transcript)
            self._show_state()
            if not story.whole:
                await self._load_rest(loading)
        finally:
            loading.close()

    async def _load_rest(self, hearing: Hearing) -> None:
        """What came before what is shown, while that goes on living."""
        story = await self._console.conversation_service.story(hearing.conversation_id)
        transcript, heights = await read_in_slices(hearing.complete(story.events), lambda: self.view.column_width)
        self._bridge.flush()
        if hearing.conversation_id != self._conversation:
            return
        late = hearing.take()
        if late:
            transcript.apply_all(joined(late))
            heights = guesses(transcript.blocks, self.view.column_width)
        transcript.restore(self.view.transcript.turns.branches.chosen)
        if len(heights) != len(transcript.blocks):
            heights = guesses(transcript.blocks, self.view.column_width)
        self.view.replace_transcript(transcript, heights)
        self._show_state()

    def _leave(self) -> None:
        if self._loading is not None:
            self._loading.close()
            self._loading = None
        self._expected = ""

    # ---- living ----------------------------------------------------------------------------------------------------

    def apply(self, batch: tuple[Event, ...]) -> None:
        if self._expected:
            self._find_expected(batch)
        if self._loading is not None or not self._conversation:
            return
        transcript = self.view.transcript
        changes = [transcript.apply(event) for event in batch if conversation_of(event) == self._conversation]
        if changes:
            self.view.apply(changes)
            self.find_bar.refresh()
            self._show_state()

    def _expect(self, text: str) -> None:
        self._expected = "" if self._conversation else text
        if self._conversation:
            self.view.go_to_end()

    def _find_expected(self, batch: tuple[Event, ...]) -> None:
        for event in batch:
            if (
                isinstance(event, ExchangeStarted)
                and event.agent == OWN_AGENT
                and any(message.text.strip().endswith(self._expected) for message in event.fresh)
            ):
                self.open(event.conversation_id)
                return

    def _stop(self) -> None:
        if self._conversation:
            self._console.stop(self._conversation)

    def _show_state(self) -> None:
        nothing = not self._conversation
        self._pages.setCurrentWidget(self._empty if nothing else self.view)
        self.setFocusProxy(self.composer if nothing else self.view)
        self.composer.set_conversation(self._conversation, empty=nothing)
        self.composer.set_running(self.view.transcript.running)
        self._tell_thread()
        self._place_jump()

    def _tell_thread(self) -> None:
        turns = self.view.transcript.turns
        thread = (turns.leaf, turns.last, turns.model)
        if thread != self._thread:
            self._thread = thread
            self.composer.set_thread(*thread, turns.said)

    # ---- keys --------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Within the conversation Ctrl+F finds in it; elsewhere in the window it means something else."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_find(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _is_find(event) or self._pages.currentWidget() is not self.view:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_F3 and not self.find_bar.isHidden():
            self.find_bar.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            self.find_bar.open_bar()

    # ---- what waits elsewhere in it --------------------------------------------------------------------------------

    def _away(self) -> list[str]:
        """Waiting calls that are not on screen."""
        shown = set(self.view.shown)
        return [block_id for block_id in self.view.transcript.waiting if block_id not in shown]

    def _place_jump(self) -> None:
        away = self._away()
        self.jump.setVisible(bool(away))
        if not away:
            return
        below = self._is_below(away[0])
        self.jump.setText(f"{len(away)} waiting {'↓' if below else '↑'}")
        self.jump.setToolTip("Go to the waiting call")
        self.jump.setAccessibleName(f"Go to the waiting call, {'further down' if below else 'further up'}")
        self.jump.adjustSize()
        area = self.view.viewport().geometry()
        self.jump.move(area.right() - self.jump.width() - M, M if not below else area.bottom() - self.jump.height() - M)
        self.jump.raise_()

    def _is_below(self, block_id: str) -> bool:
        transcript = self.view.transcript
        return bool(self.view.shown) and transcript.index(block_id) > transcript.index(self.view.shown[-1])

    def _jump(self) -> None:
        away = self._away()
        if away:
            self.view.reveal_block(away[0])
            self.view.setFocus()

    def go_to_waiting(self) -> None:
        """To the next call that waits, from where one is, and round; Enter then leads to its buttons."""
        view = self.view
        waiting = sorted(view.transcript.waiting, key=view.transcript.index)
        if not waiting:
            return
        here = view.transcript.index(view.current) if view.transcript.block(view.current) is not None else -1
        after = next((block_id for block_id in waiting if view.transcript.index(block_id) > here), waiting[0])
        view.reveal_block(after)
        view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_jump()
        return False


def _is_find(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Find) or event.key() == Qt.Key.Key_F3
