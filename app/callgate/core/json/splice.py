"""One text of a JSON object exchanged in its bytes: all others stay as they came, blanks, escapes and numbers too.

Parsing and writing anew means the same, but is not the same: a client's own bytes are what it can be held to.
"""

import re

from callgate.core.json.text import dump_bytes, parse

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]', re.DOTALL)
_COLON = re.compile(rb"\s*:\s*")
_DEEPER = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


def with_text(body: bytes, name: str, text: str) -> bytes:
    """`body` is a JSON object; its own member `name`, where it is a text, gets another one."""
    spelled = dump_bytes(text)
    pieces: list[bytes] = []
    kept = 0
    for start, end in _texts_of(body, name):
        pieces += (body[kept:start], spelled)
        kept = end
    return b"".join((*pieces, body[kept:]))


def _texts_of(body: bytes, name: str) -> list[tuple[int, int]]:
    """Where the texts under a name stand: several where a client says it twice, as readers differ on which counts."""
    found: list[tuple[int, int]] = []
    depth = 0
    awaited = -1
    """Where the value of the member must begin."""
    for token in _TOKEN.finditer(body):
        spelled = token.group()
        if spelled[:1] != b'"':
            depth += _DEEPER[spelled]
        elif depth == 1 and token.start() == awaited:
            found.append(token.span())
        elif depth == 1 and (colon := _COLON.match(body, token.end())) and parse(spelled) == name:
            awaited = colon.end()
    return found
