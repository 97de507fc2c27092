"""Compressed bodies, within bounds."""

import gzip
import zlib

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.errors import BadRequest
from callgate.proxy.content_coding import decoded

MB = 1024 * 1024
BODY = b'{"model":"m","input":"' + b"words " * 5_000 + b'"}'
BARE = zlib.compressobj(wbits=-15)
COMPRESSED = {
    "gzip": gzip.compress(BODY),
    "x-gzip": gzip.compress(BODY),
    "deflate": zlib.compress(BODY),
    "Zstd": zstandard.compress(BODY, 3),
    " identity": BODY,
    "": BODY,
    "gzip, zstd": zstandard.compress(gzip.compress(BODY)),
}


@pytest.mark.parametrize("codings", COMPRESSED)
def test_a_body_is_what_it_was_before(codings: str) -> None:
    assert decoded(COMPRESSED[codings], codings, MB) == BODY


def test_deflate_without_its_frame_is_read_too() -> None:
    assert decoded(BARE.compress(BODY) + BARE.flush(), "deflate", MB) == BODY


def test_one_part_may_follow_another() -> None:
    assert decoded(gzip.compress(b"[1,") + gzip.compress(b"2]"), "gzip", MB) == b"[1,2]"
    assert decoded(zstandard.compress(b"[1,") + zstandard.compress(b"2]"), "zstd", MB) == b"[1,2]"


@pytest.mark.parametrize("name", ["gzip", "deflate", "zstd"])
@pytest.mark.parametrize(("size", "fits"), [(MB, True), (MB + 1, False), (200 * MB, False)])
def test_a_body_that_grows_beyond_the_bound_is_refused_before_it_has(name: str, size: int, fits: bool) -> None:
    plain = bytes(size)
    body = {"gzip": gzip.compress, "deflate": zlib.compress, "zstd": zstandard.compress}[name](plain)
    if fits:
        assert decoded(body, name, MB) == plain
        return
    with pytest.raises(BadRequest, match="larger than 1 MB when it is decompressed") as caught:
        decoded(body, name, MB)
    assert caught.value.fault.code == "request_too_large"


@pytest.mark.parametrize(
    ("codings", "said"), [("br", "'br' is not read here"), ("gzip,gzip,gzip", "More than 2 codings")]
)
def test_what_cannot_be_read_is_said_by_name(codings: str, said: str) -> None:
    with pytest.raises(BadRequest, match=said) as caught:
        decoded(BODY, codings, MB)
    assert caught.value.fault.param == "content-encoding"


@pytest.mark.parametrize("name", ["gzip", "deflate"])
def test_one_that_is_cut_off_is_refused(name: str) -> None:
    with pytest.raises(BadRequest, match=f"not valid {name}"):
        decoded(COMPRESSED[name][:-9], name, MB)


@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "zstd"]))
def test_whatever_comes_is_read_or_refused(body: bytes, name: str) -> None:
    try:
        assert isinstance(decoded(body, name, MB), bytes)
    except BadRequest:
        return
