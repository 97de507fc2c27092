"""With tables made here, read by the real packages; nothing of the network is there to be asked."""

import random
import socket
import sys
from pathlib import Path

import pytest
import tiktoken
from tests.fakes.tokenizers import cached_table, table, tokenizer_json
from tiktoken_ext import openai_public

from callgate.core.errors import UserFault
from callgate.store.files import tokenizer_files
from callgate.store.files.tokenizer_files import CL100K, O200K, USUAL, Encoding, Place, cache_folder, places


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a tokenizer was asked for over the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    return folder


def test_a_table_in_the_cache_counts_as_tiktoken_itself_does(cache: Path) -> None:
    encoding = cached_table(cache)
    (place,) = places({}, {"openai": encoding})
    tokenizer = place.load()
    assert (tokenizer.family, tokenizer.name) == ("openai", "o200k_base")
    own = tiktoken.Encoding(
        "own", pat_str=encoding.pattern, mergeable_ranks=tokenizer_files._ranks(place.path, table()), special_tokens={}
    )
    for text in ("the weather", "type weather = the location: string", "Grüße, 日本 <|endoftext|>", ""):
        assert tokenizer.count(text) == len(own.encode(text, disallowed_special=()))
    assert tokenizer.count("the weather") == 2


def test_without_a_table_in_the_cache_nothing_is_tried(cache: Path) -> None:
    assert places({}) == ()
    cache.mkdir()
    assert places({}) == ()


def test_the_cache_is_where_tiktoken_itself_looks(tmp_path: Path) -> None:
    assert cache_folder({"TIKTOKEN_CACHE_DIR": "/a", "DATA_GYM_CACHE_DIR": "/b"}) == Path("/a")
    assert cache_folder({"DATA_GYM_CACHE_DIR": "/b"}) == Path("/b")
    assert cache_folder({"TIKTOKEN_CACHE_DIR": ""}) is None
    assert (found := cache_folder({})) is not None and found.name == "data-gym-cache"


def test_the_names_in_the_cache_are_those_that_tiktoken_gives() -> None:
    """Read off the cache of tiktoken 0.14 after it had fetched both."""
    assert O200K.cache_key == "fb374d419588a4632f3f557e76b4b70aebbca790"
    assert CL100K.cache_key == "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"


def test_half_a_table_is_refused(cache: Path) -> None:
    cached_table(cache)
    (place,) = places({})  # the real hash
    with pytest.raises(UserFault, match="not the whole table of o200k_base"):
        place.load()


@pytest.mark.parametrize("encoding", [O200K, CL100K], ids=lambda one: one.name)
def test_texts_are_cut_as_the_package_itself_cuts_them(encoding: Encoding, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package's own patterns over a table in which every part of a text is a token: the pieces are the tokens."""
    bits = [
        "Hello",
        " world",
        "'s",
        "'RE",
        "  ",
        "\n",
        "\r\n",
        "1234",
        "é",
        "日本",
        "//",
        '{"',
        "getWeather",
        " \t",
        "I'll",
    ]
    rolled = random.Random(1)
    texts = ["".join(rolled.choice(bits) for _ in range(rolled.randint(1, 8))) for _ in range(300)]
    for text in texts:
        ranks = _every_part(text)
        monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, ranks=ranks, **__: ranks)
        known = openai_public.ENCODING_CONSTRUCTORS[encoding.name]()
        theirs = tiktoken.Encoding("theirs", pat_str=known["pat_str"], mergeable_ranks=ranks, special_tokens={})
        ours = tiktoken.Encoding("ours", pat_str=encoding.pattern, mergeable_ranks=ranks, special_tokens={})
        assert ours.encode_ordinary(text) == theirs.encode_ordinary(text), text


def _every_part(text: str) -> dict[bytes, int]:
    parts = {text[start:end].encode() for start in range(len(text)) for end in range(start + 1, start + 16)}
    tokens = [bytes((byte,)) for byte in range(256)]
    ordered = sorted(parts, key=lambda raw: (len(raw), raw))
    return {token: rank for rank, token in enumerate(dict.fromkeys([*tokens, *ordered]))}


def test_a_named_tokenizer_json_counts_texts_without_what_stands_around_a_prompt(tmp_path: Path) -> None:
    path = tokenizer_json(tmp_path / "tokenizer.json")
    (place,) = places({"qwen": str(path)}, {})
    tokenizer = place.load()
    assert (tokenizer.family, tokenizer.name) == ("qwen", "tokenizer.json")
    assert tokenizer.count("the weather") == 2
    assert tokenizer.count("") == 0


def test_a_named_file_goes_before_the_cache(cache: Path, tmp_path: Path) -> None:
    encoding = cached_table(cache)
    own = tmp_path / "o200k_base.tiktoken"
    own.write_bytes(table())
    (place,) = places({"openai": str(own)}, {"openai": encoding})
    assert place == Place("openai", own) and place.load().count("the weather") == 2


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("mine.tiktoken", table(), "named as its encoding is: cl100k_base, o200k_base"),
        ("o200k_base.tiktoken", b"dGhl 0\nnonsense\n", "line 2: expected a token in base64"),
        ("o200k_base.tiktoken", b"dGhl 0\n", "no token for the byte 0"),
        ("tokenizer.json", b"{}", "is no tokenizer.json"),
        ("tokenizer.json", b"\xff", "is no tokenizer.json"),
        ("gone.json", None, "gone.json cannot be read: No such file"),
    ],
)
def test_a_file_that_is_none_is_refused_with_what_is_wrong(
    tmp_path: Path, name: str, content: bytes | None, words: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UserFault, match=words):
        Place("x", tmp_path / name).load()


def test_without_the_package_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tokenizer_json(tmp_path / "tokenizer.json")
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(UserFault, match="install callgate with the extra 'tokenizers'"):
        Place("x", path).load()


def test_a_million_blanks_do_no_harm(cache: Path) -> None:
    """In one piece they overflow the stack of tiktoken's regular expressions."""
    (place,) = places({}, {"openai": cached_table(cache)})
    assert place.load().count(" " * 1_000_000) > 0


def test_both_families_of_openai_are_looked_for() -> None:
    assert dict(USUAL) == {"openai": O200K, "openai-gpt4": CL100K}
    assert all(isinstance(one, Encoding) and len(one.sha256) == 64 for one in USUAL.values())
