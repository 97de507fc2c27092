"""Following what happens: until the person chooses a conversation, the newest one is shown.

Whoever has just pointed a program here wants to see it arrive, not a welcome page.
"""

from PySide6.QtCore import QObject

from callgate.core.events import Event, ExchangeStarted
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.panel import ConversationPanel


class NewestConversation(QObject):
    def __init__(self, bridge: Bridge, panel: ConversationPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self._following = True
        self.is_opening = False
        """While it shows one that nobody asked for."""
        bridge.batch.connect(self.apply)
        panel.composer.sending.connect(self.stop)

    def stop(self) -> None:
        """The person has chosen: from now on nothing is changed under their eyes."""
        self._following = False

    def apply(self, batch: tuple[Event, ...]) -> None:
        if not self._following:
            return
        started = [event.conversation_id for event in batch if isinstance(event, ExchangeStarted)]
        if started:
            self.is_opening = True
            self._panel.open(started[-1])
            self.is_opening = False
