"""Markdown is cut into the same pieces however it arrives, and only the last piece ever grows."""

from hypothesis import given, settings
from hypothesis import strategies as st

from callgate.ui.conversation.splitter import HARD_LIMIT, SOFT_LIMIT, Piece, Splitter

_PLAIN = (
    "\n",
    "\n\n",
    " ",
    "   ",
    "    ",
    "- ",
    "-",
    "1",
    "1.",
    "1. ",
    "2) ",
    "abc ",
    "two words ",
    "# h",
    "\r\n",
    "*",
)
_LONG = ("|a|b|", "> ", "x" * 40, "long line " * 700, "y" * 9000)
_FRAGMENTS = st.sampled_from((*_PLAIN, *_LONG, "`", "``", "```", "~~~", "py"))
_SHORT_TEXTS = st.lists(st.sampled_from((*_PLAIN, "x" * 40, "`", "``", "```", "~~~", "py")), max_size=25).map("".join)
_TEXTS = st.lists(_FRAGMENTS, max_size=25).map("".join)


def pieces_of(*chunks: str, close: bool = True) -> list[Piece]:
    splitter = Splitter()
    for chunk in chunks:
        splitter.feed(chunk)
    if close:
        splitter.close()
    return splitter.pieces


def texts(pieces: list[Piece]) -> list[str]:
    return [piece.text for piece in pieces]


def test_paragraphs_are_split_at_blank_lines() -> None:
    assert texts(pieces_of("one\ntwo\n\nthree\n\n\nfour")) == ["one\ntwo", "three", "four"]


def test_a_fence_is_a_piece_of_its_own_with_its_language() -> None:
    assert pieces_of("Look:\n```python title=x\nprint()\n\nmore\n```\nDone") == [
        Piece("Look:", growing=False),
        Piece("print()\n\nmore", code=True, language="python", growing=False),
        Piece("Done", growing=False),
    ]


def test_a_fence_that_is_never_closed_is_still_code() -> None:
    assert pieces_of("```\na\nb")[-1] == Piece("a\nb", code=True, growing=False)


def test_a_longer_fence_holds_a_shorter_one() -> None:
    assert texts(pieces_of("````md\n```py\nx\n```\n````\nend")) == ["```py\nx\n```", "end"]


def test_a_loose_list_stays_one_piece() -> None:
    assert texts(pieces_of("- a\n\n- b\n\n  more of b\n\nafter")) == ["- a\n\n- b\n\n  more of b", "after"]


def test_a_fence_inside_a_list_loses_the_indent_of_the_list() -> None:
    pieces = pieces_of("1. do:\n   ```bash\n   ls\n     -l\n   ```\n2. done")
    assert texts(pieces) == ["1. do:", "ls\n  -l", "2. done"]


def test_a_line_that_may_become_a_fence_is_held_back() -> None:
    splitter = Splitter()
    splitter.feed("text\n``")
    assert texts(splitter.pieces) == ["text"]
    splitter.feed("`py\nx")
    assert splitter.pieces[1:] == [Piece("x", code=True, language="py")]


def test_inline_code_at_the_start_of_a_line_is_no_fence() -> None:
    assert texts(pieces_of("`a` b", close=False)) == ["`a` b"]


def test_what_was_held_back_is_shown_when_the_text_ends() -> None:
    assert texts(pieces_of("a\n\n-")) == ["a", "-"]


def test_text_without_blank_lines_is_cut_at_lines() -> None:
    pieces = pieces_of("0123456789\n" * 2000)
    assert len(pieces) > 2
    assert max(map(len, texts(pieces))) <= SOFT_LIMIT + 20
    assert "\n".join(texts(pieces)) + "\n" == "0123456789\n" * 2000


def test_an_endless_line_is_cut_between_words() -> None:
    pieces = pieces_of("word " * 20_000)
    assert all(len(piece.text) <= HARD_LIMIT for piece in pieces)
    assert " ".join(texts(pieces)).split() == ["word"] * 20_000


@settings(deadline=None)
@given(_TEXTS, st.lists(st.integers(0, 400), max_size=12))
def test_any_chunking_gives_the_same_pieces(text: str, cuts: list[int]) -> None:
    places = sorted({min(cut, len(text)) for cut in cuts})
    chunks = [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]
    assert pieces_of(*chunks, close=False) == pieces_of(text, close=False)
    assert pieces_of(*chunks) == pieces_of(text)


@settings(deadline=None)
@given(_SHORT_TEXTS)
def test_only_the_last_piece_grows(text: str) -> None:
    splitter = Splitter()
    for start in range(0, len(text), 7):
        before = list(splitter.pieces)
        first = splitter.feed(text[start : start + 7])
        assert splitter.pieces[:first] == before[:first]
        assert [p.text for p in splitter.pieces[: max(0, len(before) - 1)]] == [p.text for p in before[:-1]]
        assert len(splitter.pieces) >= len(before)


@settings(deadline=None)
@given(st.lists(st.sampled_from((*_PLAIN, *_LONG)), max_size=25).map("".join))
def test_no_word_is_lost(text: str) -> None:
    assert "".join("".join(texts(pieces_of(text))).split()) == "".join(text.split())
