"""Leads to the place of a search hit: as soon as the conversation is there, its block is brought on screen."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Final, cast

from PySide6.QtCore import QObject, QTimer

from callgate.ui.conversation.panel import ConversationPanel

PATIENCE_MS: Final = 3000
"""A conversation that takes longer to load is read from its end, as without a search."""


class HitReveal(QObject):
    def __init__(self, panel: ConversationPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self._wanted = ("", "")
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._give_up)
        panel.view.arranged.connect(self._look)

    def reveal(self, conversation_id: str, words: str) -> None:
        """Shows where the words stand, now or when the conversation is loaded."""
        self._wanted = (conversation_id, words.casefold())
        self._patience.start()
        self._look()

    def _look(self) -> None:
        conversation_id, words = self._wanted
        if not words or self._panel.conversation != conversation_id:
            return
        found = next((block.id for block in self._panel.view.transcript.blocks if _holds(block, words)), "")
        if found:
            self._give_up()
            # after whatever is being laid out now: that may still scroll to the end
            QTimer.singleShot(0, self, lambda: self._show(conversation_id, found))

    def _show(self, conversation_id: str, block_id: str) -> None:
        if self._panel.conversation == conversation_id and self._panel.view.transcript.block(block_id) is not None:
            self._panel.view.reveal_block(block_id)

    def _give_up(self) -> None:
        self._wanted = ("", "")
        self._patience.stop()


def _holds(value: object, words: str) -> bool:
    """Whether any text in a block has the words."""
    match value:
        case str():
            return words in value.casefold()
        case tuple() | list():
            return any(_holds(item, words) for item in cast(Iterable[object], value))
        case _ if is_dataclass(value) and not isinstance(value, type):
            return any(_holds(getattr(value, field.name), words) for field in fields(value))
        case _:
            return False
