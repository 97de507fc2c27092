"""Bodies that a client has compressed, as Codex does with its long histories: what they were before.

Bounded: a small body may hold a very large one.
"""

import io
import zlib

import zstandard

from callgate.core.errors import BadRequest

MOST_CODINGS = 2
"""Nobody compresses what is compressed; each further one is work for nothing."""
KNOWN = ("gzip", "deflate", "zstd")

_GZIP, _ZLIB, _BARE = 31, 15, -15
"""What `zlib` calls the three frames around one and the same coding."""


class _TooLarge(Exception):
    """More than may be held in memory."""


def decoded(raw: bytes, codings: str, most: int) -> bytes:
    """`codings`: the header `content-encoding`; `most`: bytes that it may grow to. Raises `BadRequest`."""
    names = [name for given in codings.split(",") if (name := given.strip().lower()) not in ("", "identity")]
    if len(names) > MOST_CODINGS:
        raise BadRequest(f"More than {MOST_CODINGS} codings of one body are not read.", "content-encoding")
    for name in reversed(names):
        try:
            raw = _decoded(raw, name, most)
        except _TooLarge:
            limit = most // (1024 * 1024)
            message = f"The request body is larger than {limit} MB when it is decompressed."
            raise BadRequest(message, "body", code="request_too_large", kind="too_large") from None
        except (zlib.error, zstandard.ZstdError, EOFError) as broken:
            raise BadRequest(f"The body is not valid {name}: {broken}", "body", code="invalid_encoding") from broken
    return raw


def _decoded(raw: bytes, name: str, most: int) -> bytes:
    match name:
        case "gzip" | "x-gzip":
            return _inflated(raw, _GZIP, most)
        case "deflate":
            try:
                return _inflated(raw, _ZLIB, most)
            except zlib.error:  # what the name has always meant to some
                return _inflated(raw, _BARE, most)
        case "zstd":
            return _expanded(raw, most)
        case _:
            raise BadRequest(
                f"The content encoding {name!r} is not read here; send the body as it is, or as {', '.join(KNOWN)}.",
                "content-encoding",
            )


def _inflated(raw: bytes, frame: int, most: int) -> bytes:
    whole = bytearray()
    while raw:  # gzip allows one member after the other
        member = zlib.decompressobj(frame)
        whole += member.decompress(raw, most + 1 - len(whole))
        if len(whole) > most:
            raise _TooLarge
        if not member.eof:
            raise EOFError("it is cut off")
        raw = member.unused_data
    return bytes(whole)


def _expanded(raw: bytes, most: int) -> bytes:
    """One that is cut off gives what there is of it: JSON that ends early, which is said of it then."""
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(raw), read_across_frames=True)
    whole = reader.read(most + 1)
    if len(whole) > most:
        raise _TooLarge
    return whole
