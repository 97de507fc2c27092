"""The items of a provider's stream that have begun and ended, and which of them an event speaks of.

By the rules each event of an item has its `output_index` and its id, and neither ever changes. In the wild indexes are
left out, ids are new with every event (Copilot), and items are not announced at all.
"""

from collections.abc import Mapping

from callgate.core.messages import Json
from callgate.wire.openai_responses.lenient import integer_at, object_at, text_at

_ADDED, _DONE = "output_item.added", "output_item.done"
_OF_ITEMS = (
    _DONE,
    "content_part.",
    "output_text.",
    "refusal.",
    "reasoning_",
    "function_call_arguments.",
    "custom_tool_call_input.",
)
"""Events after which a strict client stumbles if their item has not begun; those of other kinds it does not know."""


class Announced:
    def __init__(self) -> None:
        self._ids: dict[int, str] = {}
        """By slot: the id under which an item is known."""
        self._done: set[int] = set()
        self._last = 0

    def __bool__(self) -> bool:
        return bool(self._ids)

    @property
    def next(self) -> int:
        """A slot that no item has."""
        return max(self._ids, default=-1) + 1

    def find(self, name: str, event: Mapping[str, Json], repairs: list[str]) -> int:
        """The slot of the item that an event speaks of, or of the last one where it speaks of none."""
        if name != _ADDED and not name.startswith(_OF_ITEMS):
            return integer_at(event, "output_index", self._last)
        told = text_at(event, "item_id") or text_at(object_at(event, "item"), "id")
        slot = integer_at(event, "output_index", -1)
        if slot < 0:
            repairs.append("an event of an item had no output_index")
            slot = self._slot_of(told, fresh=name == _ADDED or (name == _DONE and bool(told)))
        if name == _ADDED:
            return slot
        if slot not in self._ids:
            repairs.append("an item was not announced by response.output_item.added")
            self.add(slot, told)
        elif told and told != self._ids[slot]:
            repairs.append("an item's id was changed")
        return slot

    def add(self, slot: int, id: str) -> None:
        self._last = slot
        self._ids[slot] = id

    def end(self, slot: int) -> None:
        self._done.add(slot)

    def are_told_in(self, output: list[dict[str, Json]]) -> bool:
        """Clients read what the final response lists, and wait for the end of each item."""
        if not self._ids.keys() <= self._done or len(self._ids) > len(output):
            return False
        told = [id for _, id in sorted(self._ids.items())]
        return len(told) < len(output) or told == [text_at(item, "id") for item in output]

    def _slot_of(self, id: str, *, fresh: bool) -> int:
        known = next((slot for slot, one in self._ids.items() if id and one == id), None)
        if known is not None:
            return known
        return self.next if fresh else self._last
