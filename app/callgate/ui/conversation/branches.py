"""Which exchanges of a conversation are tries of the same turn, and which of them are shown. Pure.

A retried turn is never lost: all tries stay in the column. Where one was chosen, the others are folded into a line
each, together with all that followed from them.
"""

from collections.abc import Iterator


class Branches:
    def __init__(self) -> None:
        self._tries: dict[str, list[str]] = {}
        """Exchange that was continued → the tries to do so, in order."""
        self._parent: dict[str, str] = {}
        self._chosen: dict[str, str] = {}

    def add(self, exchange_id: str, parent_id: str) -> tuple[str, ...]:
        """Takes an exchange in; all tries of its turn, itself the last."""
        tries = self._tries.setdefault(parent_id, [])
        if exchange_id not in self._parent:
            self._parent[exchange_id] = parent_id
            tries.append(exchange_id)
        return tuple(tries)

    def tries(self, exchange_id: str) -> tuple[str, ...]:
        """All tries of the turn that an exchange is one of."""
        return tuple(self._tries.get(self._parent.get(exchange_id, ""), ()))

    def choose(self, exchange_id: str) -> None:
        """Shows this try, and folds the others."""
        if exchange_id in self._parent:
            self._chosen[self._parent[exchange_id]] = exchange_id

    def choose_all(self, exchange_id: str) -> None:
        """Shows all tries of a turn, one after the other."""
        self._chosen.pop(self._parent.get(exchange_id, ""), None)

    def is_chosen(self, exchange_id: str) -> bool:
        return self._chosen.get(self._parent.get(exchange_id, "")) in (None, exchange_id)

    def is_alone(self, exchange_id: str) -> bool:
        """Whether it is shown and the others are folded for it."""
        return self._chosen.get(self._parent.get(exchange_id, "")) == exchange_id

    @property
    def chosen(self) -> dict[str, str]:
        return dict(self._chosen)

    def restore(self, chosen: dict[str, str]) -> None:
        """What was chosen before the same conversation was read again."""
        self._chosen.update({parent: one for parent, one in chosen.items() if one in self._parent})

    def folded(self) -> tuple[frozenset[str], frozenset[str]]:
        """The exchanges that are not shown, and those of them that are a try whose name still is."""
        heads = [one for parent, chosen in self._chosen.items() for one in self._tries.get(parent, ()) if one != chosen]
        hidden = frozenset(below for head in heads for below in self._with_descendants(head))
        inner = frozenset(below for head in heads for below in self._with_descendants(head) if below != head)
        return hidden, frozenset(heads) - inner

    def _with_descendants(self, exchange_id: str) -> Iterator[str]:
        pending = [exchange_id]
        while pending:
            one = pending.pop()
            yield one
            pending.extend(self._tries.get(one, ()))
