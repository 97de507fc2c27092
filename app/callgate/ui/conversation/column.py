"""The blocks of a conversation in their order, and a record of what changed. Pure; knows no event and no widget.

Each block has a place: where it stands within its exchange. Order follows from places alone, never from arrival, so
exchanges that run side by side do not mix, and a conversation that is read back stands as it stood.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from callgate.ui.conversation.blocks import Block, BranchBlock

FIRST = -1
LAST = 1_000_000


class Place(NamedTuple):
    """Where a block stands in its exchange; compared field by field."""

    round: int
    """0 = what the client sent, 1… = rounds, LAST = how it ended."""
    voice: int = 0
    """In round 0 the message; else the choice. FIRST and LAST frame them."""
    part: int = 0
    number: int = 0
    """The piece of a part that was split."""
    after: int = 0
    """1… = remarks on the block at the same place."""


@dataclass(frozen=True, slots=True)
class Inserted:
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Change:
    """Insertions in the order in which they were made (each counts the ones before it), and what is to be redrawn."""

    inserted: tuple[Inserted, ...] = ()
    changed: tuple[str, ...] = ()
    reset: bool = False
    """Much was hidden or came back: all places are others now, and the rest of the change says nothing."""

    def __bool__(self) -> bool:
        return bool(self.inserted or self.changed or self.reset)


class Column:
    def __init__(self) -> None:
        self._sequence: dict[str, int] = {}
        self._keys: list[tuple[int, Place]] = []
        self._blocks: list[Block] = []
        self._key_of: dict[str, tuple[int, Place]] = {}
        self._inserted: list[Inserted] = []
        self._changed: dict[str, None] = {}
        self._hidden: frozenset[str] = frozenset()
        """Exchanges that are not shown."""
        self._headed: frozenset[str] = frozenset()
        """Those of them whose branch is still named."""
        self._away: dict[str, Block] = {}
        """Blocks of hidden exchanges."""
        self._reset = False

    @property
    def blocks(self) -> Sequence[Block]:
        return self._blocks

    def open(self, exchange_id: str) -> bool:
        """Gives an exchange its turn; False if it has one."""
        if exchange_id in self._sequence:
            return False
        self._sequence[exchange_id] = len(self._sequence)
        return True

    def id_at(self, exchange_id: str, place: Place) -> str:
        return f"{exchange_id}:{':'.join(map(str, place))}"

    def index(self, block_id: str) -> int:
        """Where a block stands; of a hidden one, where it would; 0 for one that is not known."""
        key = self._key_of.get(block_id)
        return 0 if key is None else bisect_left(self._keys, key)

    def get(self, block_id: str) -> Block | None:
        """Also of hidden ones."""
        if block_id in self._away:
            return self._away[block_id]
        return self._blocks[self.index(block_id)] if block_id in self._key_of else None

    def is_shown(self, block_id: str) -> bool:
        return block_id in self._key_of and block_id not in self._away

    def hide(self, exchanges: frozenset[str], headed: frozenset[str]) -> None:
        """Shows all but these exchanges; of the `headed` ones the line that names their branch stays."""
        if (exchanges, headed) == (self._hidden, self._headed):
            return
        self._hidden, self._headed = exchanges, headed
        everything = sorted([*self._blocks, *self._away.values()], key=lambda block: self._key_of[block.id])
        self._blocks = [block for block in everything if not self._hides(block)]
        self._keys = [self._key_of[block.id] for block in self._blocks]
        self._away = {block.id: block for block in everything if self._hides(block)}
        self._reset = True

    def _hides(self, block: Block) -> bool:
        if block.exchange_id not in self._hidden:
            return False
        return not (isinstance(block, BranchBlock) and block.exchange_id in self._headed)

    def place(self, block_id: str) -> Place:
        return self._key_of[block_id][1]

    def put(self, block: Block, place: Place) -> None:
        """Places a block, or replaces the one that stands there."""
        if block.id in self._key_of:
            self.swap(block)
            return
        key = (self._sequence[block.exchange_id], place)
        if self._hides(block):
            self._key_of[block.id] = key
            self._away[block.id] = block
            return
        at = len(self._keys) if not self._keys or key > self._keys[-1] else bisect_left(self._keys, key)
        self._keys.insert(at, key)
        self._blocks.insert(at, block)
        self._key_of[block.id] = key
        last = self._inserted[-1] if self._inserted else None
        if last is not None and at == last.first + last.count:
            self._inserted[-1] = Inserted(last.first, last.count + 1)
        else:
            self._inserted.append(Inserted(at, 1))

    def swap(self, block: Block) -> None:
        """Replaces a block by its next self; the same again changes nothing."""
        if block.id in self._away:
            self._away[block.id] = replace(block, revision=self._away[block.id].revision + 1)
            return
        at = self.index(block.id)
        before = self._blocks[at]
        if before != block:
            self._blocks[at] = replace(block, revision=before.revision + 1)
            self._changed[block.id] = None

    def take_change(self) -> Change:
        """What happened since the last time."""
        change = Change(tuple(self._inserted), tuple(self._changed), self._reset)
        self._inserted, self._changed, self._reset = [], {}, False
        return change
