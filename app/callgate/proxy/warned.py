"""What was lost between two wires, in the words that a client gets: in a header; where that has gone out already, at
the end of the stream, or in a field of the answer.
"""

import re
from collections.abc import Iterable

from callgate.core.messages import Json
from callgate.core.request import WireName
from callgate.wire.registry import TRAITS

HEADER = b"x-callgate-warnings"
MOST_WARNED = 2000
"""Characters in a header: some clients refuse a whole answer whose headers are longer than 8 or 16 KB."""
_NOT_PRINTABLE = re.compile(r"[^ -~]+")


def in_one_line(warnings: Iterable[str]) -> str:
    return _NOT_PRINTABLE.sub("?", "; ".join(warnings))[:MOST_WARNED]


def in_the_answer(body: dict[str, Json], wire: WireName, warnings: Iterable[str]) -> dict[str, Json]:
    """Clients of all wires leave out a field that they do not know."""
    said = in_one_line(warnings)
    return {**body, TRAITS[wire].warnings_field: said} if said else body
