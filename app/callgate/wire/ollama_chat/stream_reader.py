"""A server's stream → frames: one JSON object per line. Any chunking of the bytes gives the same frames."""

from callgate.core.deltas import Delta, Failed
from callgate.core.errors import Fault, PeerFault
from callgate.core.json.text import parse
from callgate.wire.codec import Frame
from callgate.wire.ollama_chat.errors import read_error
from callgate.wire.ollama_chat.reply_reader import ReplyReader
from callgate.wire.unknown_fields import Beside

MAX_LINE_BYTES = 64 * 1024 * 1024
"""Far above any real line; a peer that never ends one must not fill the memory."""
_SHOWN = 200
_WENT_ON = "the stream went on after its end"
_BLANK = "a line was empty"
"""Official packages read each line as JSON and fail at an empty one."""
_NO_OBJECT = "a line was no JSON object"


class LinesReader:
    def __init__(self) -> None:
        self._pending = bytearray()
        self._searched = 0
        """No line ends before it: a long line is searched once, not at every chunk."""
        self._reply = ReplyReader()
        self._over = False

    def decode(self, data: bytes) -> list[Frame]:
        self._pending += data
        frames: list[Frame] = []
        begin = 0
        while (end := self._pending.find(b"\n", max(begin, self._searched))) >= 0:
            frames.append(self._frame(bytes(self._pending[begin : end + 1])))
            begin = self._searched = end + 1
        del self._pending[:begin]
        self._searched = len(self._pending)
        if len(self._pending) > MAX_LINE_BYTES:
            raise PeerFault(Fault("upstream", f"a line of the stream is larger than {MAX_LINE_BYTES} bytes"))
        return frames

    def flush(self) -> list[Frame]:
        """A last line without its end counts too."""
        frames = [self._frame(bytes(self._pending))] if self._pending else []
        self._pending.clear()
        if not self._over and not self._reply.finished:
            self._over = True
            fault = Fault("upstream", "the stream broke off before the answer was complete (no line was 'done')")
            frames.append(Frame(b"", (Failed(fault),)))
        return frames

    def _frame(self, raw: bytes) -> Frame:
        said = raw.strip()
        if self._over or self._reply.finished:
            return Frame(raw, (), (_WENT_ON,) if said else ())
        if not said:
            return Frame(raw, (), (_BLANK,))
        try:
            value = parse(said)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            self._over = True
            fault = read_error(0, said[:_SHOWN], {})
            return Frame(raw, (Failed(fault),), (_NO_OBJECT,))
        repairs: list[str] = []
        beside: list[Beside] = []
        deltas: list[Delta] = self._reply.take(value, repairs, beside)
        failed = next((place for place, delta in enumerate(deltas) if isinstance(delta, Failed)), None)
        if failed is not None:
            self._over = True
            deltas = deltas[: failed + 1]
        confessed = failed is not None and isinstance(value.get("error"), str)
        return Frame(raw, tuple(deltas), tuple(dict.fromkeys(repairs)), tuple(beside), confessed)
