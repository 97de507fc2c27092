"""Bytes as they lie in the tables: deflated where that helps."""

import zlib
from typing import Final

_WORTH_TRYING: Final = 256
"""Bytes; below this, deflating saves next to nothing."""


def pack(data: bytes) -> tuple[bytes, bool]:
    """The bytes, and whether they were deflated."""
    if len(data) >= _WORTH_TRYING:
        packed = zlib.compress(data)
        if len(packed) < len(data):
            return packed, True
    return data, False


def unpack(data: bytes, packed: bool) -> bytes:
    return zlib.decompress(data) if packed else data
