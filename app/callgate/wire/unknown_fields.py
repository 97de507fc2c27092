"""What a reply says beside all that its reader makes something of: names of fields, with their values.

A client of the same wire gets them in the provider's own bytes. What they weigh for any other is judged elsewhere
(`wire.lowering.unheard`).
"""

from collections.abc import Mapping

from callgate.core.messages import Json

Beside = tuple[str, Json]
"""Where a field stands in the reply, without indexes, and what it holds."""


def unread(value: Mapping[str, Json], known: frozenset[str], path: str = "") -> list[Beside]:
    """The fields that are not known and say something."""
    if value.keys() <= known:
        return []
    return [(path + key, held) for key, held in value.items() if held and key not in known]
