"""The tokenizers that are on this machine: tables that `tiktoken` has in its cache, and files that the person named.

Nothing is ever downloaded: `tiktoken` would do that when asked for an encoding by name, so it is handed the table that
is there, or is not asked at all. Both packages are optional (the extra `tokenizers`). To be called in a thread.
"""

import base64
import binascii
import hashlib
import importlib
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from callgate.core.errors import UserFault

_TABLES: Final = "https://openaipublic.blob.core.windows.net/encodings/"
"""Never asked: its hash is the name that `tiktoken` gives a table in its cache."""
_TABLE_SUFFIX: Final = ".tiktoken"
_PIECE: Final = 100_000
"""Letters at once: a million blanks in a row overflow the stack of the package. Between two a token may be cut."""
_CONTRACTIONS: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"


@dataclass(frozen=True, slots=True)
class Encoding:
    """A table of `tiktoken`, and how texts are cut before it is looked into."""

    name: str
    pattern: str
    sha256: str = ""
    """Of the whole table: half a download must not count for the real thing."""

    @property
    def cache_key(self) -> str:
        return hashlib.sha1(f"{_TABLES}{self.name}{_TABLE_SUFFIX}".encode(), usedforsecurity=False).hexdigest()


O200K: Final = Encoding(
    "o200k_base",
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_CONTRACTIONS}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_CONTRACTIONS}?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
)
CL100K: Final = Encoding(
    "cl100k_base",
    rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s+$|\s*[\r\n]|\s+(?!\S)|\s",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
)
USUAL: Final[Mapping[str, Encoding]] = {"openai": O200K, "openai-gpt4": CL100K}
"""Looked for without being told: the family, and what it is read with."""


@dataclass(frozen=True, slots=True)
class Tokenizer:
    family: str
    name: str
    count: Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tokenizer is; nothing of it was read yet."""

    family: str
    path: Path
    encoding: Encoding | None = None
    """Of a table that `tiktoken` keeps; None = the person named the file."""

    def load(self) -> Tokenizer:
        """Raises `UserFault` with what is wrong; takes up to a second."""
        if self.encoding is not None:
            return Tokenizer(self.family, self.encoding.name, _tiktoken(self.path, self.encoding))
        path = self.path.expanduser()
        if path.suffix == _TABLE_SUFFIX:
            known = {one.name: one for one in USUAL.values()}
            encoding = known.get(path.stem)
            if encoding is None:
                raise UserFault(f"{path}: a table must be named as its encoding is: {', '.join(sorted(known))}")
            return Tokenizer(self.family, encoding.name, _tiktoken(path, Encoding(encoding.name, encoding.pattern)))
        return Tokenizer(self.family, path.name, _tokenizers(path))


def places(named: Mapping[str, str], usual: Mapping[str, Encoding] = USUAL) -> tuple[Place, ...]:
    """All that can be tried: what the person named, then what `tiktoken` has in its cache. Reads nothing."""
    found = [Place(family, Path(path)) for family, path in named.items()]
    cache = cache_folder()
    if cache is not None and find_spec("tiktoken") is not None:
        for family, encoding in usual.items():
            if family not in named and (cache / encoding.cache_key).is_file():
                found.append(Place(family, cache / encoding.cache_key, encoding))
    return tuple(found)


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Where `tiktoken` keeps its tables; None = it was told to keep none."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in environ:
            return Path(environ[variable]) if environ[variable] else None
    return Path(tempfile.gettempdir()) / "data-gym-cache"


def _tiktoken(path: Path, encoding: Encoding) -> Callable[[str], int]:
    table = _bytes(path)
    if encoding.sha256 and hashlib.sha256(table).hexdigest() != encoding.sha256:
        raise UserFault(f"{path} is not the whole table of {encoding.name}")
    ranks = _ranks(path, table)
    made = _library("tiktoken").Encoding(
        name=encoding.name, pat_str=encoding.pattern, mergeable_ranks=ranks, special_tokens={}
    )

    def count(text: str) -> int:
        return sum(len(made.encode_ordinary(text[at : at + _PIECE])) for at in range(0, len(text), _PIECE))

    return count


def _ranks(path: Path, table: bytes) -> dict[bytes, int]:
    ranks: dict[bytes, int] = {}
    for number, line in enumerate(table.splitlines(), 1):
        try:
            token, rank = line.split()
            ranks[base64.b64decode(token, validate=True)] = int(rank)
        except (ValueError, binascii.Error) as error:
            raise UserFault(f"{path}, line {number}: expected a token in base64 and its rank") from error
    missing: Sequence[int] = [byte for byte in range(256) if bytes((byte,)) not in ranks]
    if missing:  # it would panic in the middle of a text
        raise UserFault(f"{path}: the table has no token for the byte {missing[0]}")
    return ranks


def _tokenizers(path: Path) -> Callable[[str], int]:
    told = _bytes(path)
    library = _library("tokenizers")
    try:
        made = library.Tokenizer.from_buffer(told)
    except ValueError as error:
        raise UserFault(f"{path} is no tokenizer.json: {error}") from error
    return lambda said: len(made.encode(said, add_special_tokens=False).ids)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserFault(f"{path} cannot be read: {error.strerror or error}") from error


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise UserFault(f"the package {name} is needed: install callgate with the extra 'tokenizers'") from missing
