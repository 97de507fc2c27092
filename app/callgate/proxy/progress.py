"""What tools report while Callgate runs them, for clients that asked to see it: comment lines in their stream.

Comments are part of SSE and of no wire, so that every client bears them; only those that ask get any.
"""

from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event, InvocationChanged, ToolOutput
from callgate.core.json.text import dump_bytes
from callgate.core.messages import Json
from callgate.engine.bus import Bus

PROGRESS_HEADER = "x-callgate-progress"
LOOK_SECONDS = 0.2
"""Between two looks at what tools have said: as often as a person can follow."""
MOST_WAITING = 64 * 1024
"""A client that reads slowly misses some of it rather than holding it in memory."""
_MARK = b": callgate-progress "


class ProgressLines:
    def __init__(self, bus: Bus, exchange_id: str) -> None:
        self._exchange_id = exchange_id
        self._calls: dict[str, Invocation] = {}
        self._waiting = bytearray()
        self._listening = bus.subscribe(self._hear)

    def __bool__(self) -> bool:
        """Whether there is something to send."""
        return bool(self._waiting)

    def take(self) -> bytes:
        data = bytes(self._waiting)
        self._waiting.clear()
        return data

    def close(self) -> None:
        self._listening.close()

    def _hear(self, event: Event) -> None:
        match event:
            case InvocationChanged() if event.invocation.exchange_id == self._exchange_id:
                call = event.invocation
                before = self._calls.get(call.id)
                self._calls[call.id] = call
                if before is None or before.state != call.state:
                    self._add(call, {"state": call.state})
            case ToolOutput() if call := self._calls.get(event.invocation_id):
                self._add(call, {"text": event.text, "progress": event.progress, "total": event.total})
            case _:
                pass

    def _add(self, call: Invocation, said: dict[str, Json]) -> None:
        line = _MARK + dump_bytes({"call_id": call.call_id, "tool": call.tool, **said}) + b"\n\n"
        if len(self._waiting) + len(line) <= MOST_WAITING:
            self._waiting += line
