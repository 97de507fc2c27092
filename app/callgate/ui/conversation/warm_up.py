"""Makes one widget of each common kind while nobody waits, so that the first conversation opens as fast as the next.

The first of a kind is slow: fonts are loaded, styles are read. One kind in each turn, and none once it is too late.
"""

from typing import Final

from PySide6.QtCore import QObject, QTimer

from callgate.core.messages import Text, ToolResult, Usage
from callgate.ui.conversation.blocks import Block, CallBlock, CodeBlock, SpeakerBlock, TextBlock, UsageBlock
from callgate.ui.conversation.column_view import ColumnView

_PAUSE_MS: Final = 120
"""The window itself comes first."""
_RESULTS: Final = ('{"a": {"b": 1}}', "a line\nanother")


class WarmUp(QObject):
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
