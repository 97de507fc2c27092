"""Where the person writes to a model: what is said, to which model, with which tools and system prompt, send and stop.

The choices belong to the conversation and are remembered with it. A message that was sent can be taken up again: it
goes out as another try of the same turn, and the first one stays.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from callgate.core.errors import CallgateError
from callgate.engine.console.console import Console
from callgate.engine.console.conversation_service import Setup, Turn
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.composer.composer_box import ComposerBox
from callgate.ui.conversation.composer.enclosures import Enclosure, enclose, obstacle, read_file, taken_up
from callgate.ui.conversation.composer.reference_popup import ReferencePopup
from callgate.ui.conversation.spacing import CARD_PADDING, COLUMN_WIDTH
from callgate.ui.conversation.turns import LastTurn
from callgate.ui.shell.palette_entry import PaletteEntry
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.flow_layout import FlowLayout

_NO_MODEL: Final = "There is no model to talk to. Add an endpoint on the page Endpoints."
_RUNNING: Final = "Wait for the answer, or stop it"
_NOTHING: Final = "Write a message first"
SUGGESTIONS: Final = (
    "What tools can you use?",
    "List the files of this workspace",
    "Run the tests and explain what fails",
)


class Composer(QWidget):
    sending = Signal(str)
    """A message is on its way; if it starts a conversation, its first event will say which."""
    stop_requested = Signal()

    def __init__(self, console: Console, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.setAccessibleName("Message to a model")
        self._console, self._bridge = console, bridge
        self._conversation = ""
        self._running = False
        self._sending: object | None = None
        """What was sent last, until it is seen to run or has ended."""
        self._sent: list[str] = []
        self._recalled = 0
        self._draft = ""
        self._drafts: dict[str, tuple[str, tuple[Enclosure, ...]]] = {}
        """Conversation → what was written there and not sent; nothing goes to another one by mistake."""
        self._starting = False
        """What was sent starts a conversation: what is written meanwhile belongs to that one."""
        self._leaf: str | None = None
        self._last_turn: LastTurn | None = None
        self._editing: LastTurn | None = None
        """The message that is being written anew."""
        self._loading_setup = False
        self._box = ComposerBox(console, theme)
        self.message, self.models, self.enclosures = self._box.message, self._box.models, self._box.enclosures
        self.tools_button, self.chooser, self.system = self._box.tools_button, self._box.chooser, self._box.system
        self.send_button, self.stop_button, self.edit_button = (
            self._box.send_button,
            self._box.stop_button,
            self._box.edit_button,
        )
        self.error = plain_label("", "danger", selectable=True, wrap=True)
        self._suggestions = QWidget()
        self._build()
        self.references = ReferencePopup(console, theme, self.message)
        self._connect()
        self.models.refresh()
        self._load_setup("")
        self._update_buttons()

    # ---- what it is about ------------------------------------------------------------------------------------------

    def set_conversation(self, conversation_id: str, *, empty: bool) -> None:
        """Where the next message goes; empty id = it starts a conversation. `empty`: nothing has been said yet."""
        if conversation_id != self._conversation:
            self._say("")
            self._stop_editing()
            self._sending = None
            self._change_draft(conversation_id)
            self._conversation = conversation_id
            self._load_setup("")
        self._suggestions.setVisible(empty)
        self._update_buttons()

    def _change_draft(self, conversation_id: str) -> None:
        starting, self._starting = self._starting and not self._conversation, False
        if starting:
            return
        self._drafts[self._conversation] = (self.message.toPlainText(), self.enclosures.enclosures)
        text, enclosures = self._drafts.pop(conversation_id, ("", ()))
        self.message.set_text(text)
        self.enclosures.set_enclosures(enclosures)

    def set_thread(self, leaf: str | None, last_turn: LastTurn | None, model: str, said: Sequence[str]) -> None:
        """What the shown conversation says of itself: where it ends, what was asked last, of which model, and before.

        The model counts only where the person has not chosen one.
        """
        self._leaf, self._last_turn = leaf, last_turn
        if self._console.conversation_service.setup(self._conversation) is None and model:
            self._load_setup(model)
        for text in said:
            if text not in self._sent:
                self._sent.append(text)
                self._recalled = len(self._sent)
        self._update_buttons()

    def set_running(self, running: bool) -> None:
        if running:
            self._sending = None
        if running != self._running:
            self._running = running
            self._update_buttons()

    def refresh_models(self) -> None:
        self.models.refresh()
        self._update_buttons()

    # ---- the choices -------------------------------------------------------------------------------------------------

    @property
    def setup(self) -> Setup:
        return Setup(self.models.chosen, self.system.toPlainText().strip(), self.chooser.use_tools, self.chooser.names)

    def _load_setup(self, model: str) -> None:
        service = self._console.conversation_service
        setup = service.setup(self._conversation) or service.setup("") or Setup()
        self._loading_setup = True
        self.models.choose(model or setup.model)
        self.chooser.set_choice(setup.use_tools, setup.tools)
        if self.system.toPlainText() != setup.system:
            self.system.setPlainText(setup.system)
        self._loading_setup = False
        self._show_choices()

    def _keep_setup(self) -> None:
        self._show_choices()
        if not self._loading_setup and self.models.chosen:
            try:
                self._console.conversation_service.keep_setup(self._conversation, self.setup)
            except CallgateError as fault:
                self._say(str(fault))

    def _show_choices(self) -> None:
        self.tools_button.setText(self.chooser.words)
        self._box.mark_system(bool(self.system.toPlainText().strip()))

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.error.setObjectName("composerError")
        self.error.hide()
        flow = FlowLayout(S, self._suggestions)
        for words in SUGGESTIONS:
            chip = QPushButton(words)
            chip.clicked.connect(lambda _=False, text=words: self._suggest(text))
            flow.addWidget(chip)
        page = QWidget()
        page.setMaximumWidth(COLUMN_WIDTH + 2 * CARD_PADDING)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self._suggestions)
        column.addWidget(self.error)
        column.addWidget(self._box)
        middle = QHBoxLayout(self)
        middle.setContentsMargins(L, S, L, M)
        middle.addWidget(page)
        self.setFocusProxy(self.message)

    def _connect(self) -> None:
        box = self._box
        self.message.textChanged.connect(self._update_buttons)
        self.message.send_pressed.connect(self.send)
        self.message.recall_pressed.connect(self._recall)
        self.message.edit_pressed.connect(self.edit_last)
        self.message.escape_pressed.connect(self._stop_editing)
        self.message.files_given.connect(self.add_files)
        self.message.image_given.connect(self._add_image)
        self.enclosures.changed.connect(self._update_buttons)
        self.models.currentIndexChanged.connect(lambda _: self._keep_setup())
        self.chooser.changed.connect(self._keep_setup)
        self.system.textChanged.connect(self._keep_setup)
        self.send_button.clicked.connect(self.send)
        self.edit_button.clicked.connect(self.edit_last)
        box.cancel_button.clicked.connect(self._stop_editing)
        box.attach_button.clicked.connect(self._ask_for_files)
        self.stop_button.clicked.connect(self.stop_requested)
        offer = partial(PaletteEntry, self, "Message")
        offer("Add files or pictures…", self._ask_for_files)
        offer("Choose the tools of this conversation", box.tools_button.click)
        offer("Write the system prompt of this conversation", box.system_button.click)
        offer("Choose the model of this conversation", self._choose_model, when=lambda: bool(self.models.chosen))
        offer("Edit the last message and send it again", self.edit_last, hint="Ctrl+Up", when=self._can_edit)

    # ---- sending ---------------------------------------------------------------------------------------------------

    def send(self) -> None:
        if self._obstacle():
            return
        text = self.message.toPlainText().strip()
        enclosures = self.enclosures.enclosures
        after = self._leaf if self._editing is None else self._editing.parent_id
        parts = tuple(one.part for one in enclosures if one.part is not None)
        turn = Turn(text, self.setup, self._conversation, parts, after)
        if text:
            self._sent.append(text)
        self._recalled, self._draft = len(self._sent), ""
        self._keep_setup()
        self._editing = None
        self._starting = not self._conversation
        self._box.editing.hide()
        self.message.clear()
        self.enclosures.set_enclosures(())
        self._say("")
        self.sending.emit(text)
        self._bridge.start(self._send(turn, enclosures), self, "sending a message")

    async def _send(self, turn: Turn, enclosures: tuple[Enclosure, ...]) -> None:
        sending = self._sending = object()
        self._update_buttons()
        try:
            await self._console.conversation_service.send(turn)
        except CallgateError as fault:
            self._say(str(fault))
            if not self.message.toPlainText() and not self.enclosures.enclosures:
                self.message.setPlainText(turn.text)
                self.enclosures.set_enclosures(enclosures)
        finally:
            if self._sending is sending:
                self._sending = None
            self._update_buttons()

    def _obstacle(self) -> str:
        """Why nothing can be sent now, in words; empty = nothing is in the way."""
        if not self.models.chosen:
            return _NO_MODEL
        if self._running or self._sending is not None:
            return _RUNNING
        if too_much := obstacle(self.enclosures.enclosures):
            return too_much
        return "" if self.message.toPlainText().strip() or self.enclosures.enclosures else _NOTHING

    def _update_buttons(self) -> None:
        hindered = self._obstacle()
        running = self._running or self._sending is not None
        self.send_button.setEnabled(not hindered)
        self.send_button.setToolTip(hindered or "Send the message (Ctrl+Enter)")
        self.stop_button.setVisible(running)
        self.stop_button.setEnabled(bool(self._conversation))
        self.models.setEnabled(bool(self.models.chosen))
        self.edit_button.setVisible(self._last_turn is not None and bool(self._conversation) and self._editing is None)
        self.edit_button.setEnabled(not running)
        placeholder = _NO_MODEL if hindered == _NO_MODEL else "Message the model…   # names a tool"
        if self.message.placeholderText() != placeholder:
            self.message.setPlaceholderText(placeholder)

    def _say(self, words: str) -> None:
        self.error.setText(reveal(words))
        self.error.setVisible(bool(words))

    # ---- what goes along ---------------------------------------------------------------------------------------------

    def add_files(self, paths: Sequence[Path]) -> None:
        """Reads files in a thread, then shows them as chips, or says why not."""
        self._bridge.start(self._read(list(paths)), self, "reading files")

    async def _read(self, paths: list[Path]) -> None:
        for path in paths:
            self._enclose(await asyncio.to_thread(read_file, path))

    def _add_image(self, image: QImage) -> None:
        holder = QBuffer()
        holder.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(holder, "PNG")  # type: ignore[call-overload]  # PySide takes a str here
        self._enclose(enclose("pasted picture.png", bytes(holder.data().data()), "image/png"))

    def _enclose(self, enclosure: Enclosure) -> None:
        problem = enclosure.problem or obstacle((*self.enclosures.enclosures, enclosure))
        self._say(problem)
        if not problem:
            self.enclosures.add(enclosure)

    def _ask_for_files(self) -> None:
        dialog = QFileDialog(self, "Add files or pictures")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda names: self.add_files([Path(name) for name in names]))
        dialog.open()

    # ---- earlier messages ------------------------------------------------------------------------------------------

    def edit_last(self) -> None:
        """Takes up what was said last; sent again, it is another try of the same turn."""
        turn = self._last_turn
        if turn is None or not self._can_edit():
            return
        if self._editing is None:
            self._draft = self.message.toPlainText()
        self._editing = turn
        words, enclosures = taken_up(turn.message)
        self.message.set_text(words)
        self.enclosures.set_enclosures(enclosures)
        self._box.editing.show()
        self.message.setFocus(Qt.FocusReason.OtherFocusReason)
        self._update_buttons()

    def _can_edit(self) -> bool:
        busy = self._running or self._sending is not None
        return self._last_turn is not None and not busy and bool(self._conversation)

    def _stop_editing(self) -> None:
        if self._editing is None:
            return
        self._editing = None
        self._box.editing.hide()
        self.message.set_text(self._draft)
        self.enclosures.set_enclosures(())
        self._update_buttons()

    def _recall(self, by: int) -> None:
        """Alt+Up and Alt+Down: through what was sent, and back to what was being written."""
        target = self._recalled + by
        if not 0 <= target <= len(self._sent):
            return
        if self._recalled == len(self._sent):
            self._draft = self.message.toPlainText()
        self._recalled = target
        self.message.set_text(self._draft if target == len(self._sent) else self._sent[target])

    def _choose_model(self) -> None:
        self.models.setFocus(Qt.FocusReason.OtherFocusReason)
        self.models.showPopup()

    def _suggest(self, text: str) -> None:
        self.message.set_text(text)
        self.message.setFocus(Qt.FocusReason.OtherFocusReason)
