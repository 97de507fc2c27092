"""What is stored comes back, smaller where that is worth it."""

import os

from callgate.store.packing import pack, unpack


def test_only_what_gets_smaller_is_deflated() -> None:
    for data, packed in ((b"", False), (b"a" * 100, False), (b"a" * 1000, True), (os.urandom(1000), False)):
        stored, is_packed = pack(data)
        assert is_packed is packed and len(stored) <= len(data)
        assert unpack(stored, is_packed) == data
