"""Words while they stream in, with what is told of them."""

from callgate.core.deltas import Cited, TokensWeighed
from callgate.wire.openai_responses.partial_messages import PartialText

PAGE = {"type": "url_citation", "start_index": 0, "end_index": 1, "title": "A", "url": "https://a.example"}
LOG = {"token": "a", "bytes": [97], "logprob": -1.0, "top_logprobs": []}


def test_what_was_told_piece_by_piece_is_not_told_again_at_the_end() -> None:
    words = PartialText(3)
    live = [*words.cite(PAGE), *words.weigh([LOG])]
    assert [type(delta) for delta in live] == [Cited, TokensWeighed] and {delta.part for delta in live} == {3}
    assert words.end([PAGE], [LOG]) == []


def test_what_comes_only_at_the_end_is_taken_there() -> None:
    words = PartialText(0)
    assert [type(delta) for delta in words.end([PAGE, PAGE], [LOG])] == [Cited, Cited, TokensWeighed]


def test_rubbish_is_nothing() -> None:
    words = PartialText(0)
    assert words.weigh("x") == words.end("x", None) == []
