"""How likely tokens were, as OpenAI's wires spell it."""

from callgate.core.messages import TokenLogprob
from callgate.wire.openai_logprobs import read_logprobs, unread_logprobs, write_logprobs

ENTRY = {
    "token": "Zü",
    "bytes": [90, 195, 188],
    "logprob": -0.5,
    "top_logprobs": [{"token": "B", "bytes": None, "logprob": -2}],
}
TOKEN = TokenLogprob("Zü", -0.5, (90, 195, 188), (TokenLogprob("B", -2.0),))


def test_entries_are_read_with_what_else_there_was() -> None:
    assert read_logprobs([ENTRY]) == (TOKEN,)


def test_what_is_no_entry_is_left_out() -> None:
    assert read_logprobs([{"token": 1}, "x", {"token": "a", "logprob": None}]) == read_logprobs(None) == ()


def test_bytes_that_the_provider_did_not_give_are_null_or_those_of_the_text() -> None:
    (null,), (spelled,) = ([*write_logprobs([TOKEN], always_bytes=always)] for always in (False, True))
    assert null == ENTRY
    assert spelled == {**ENTRY, "top_logprobs": [{"token": "B", "bytes": [66], "logprob": -2.0}]}


def test_fields_of_entries_that_are_not_read_are_found() -> None:
    new = {**ENTRY, "id": 5, "top_logprobs": [{"token": "B", "logprob": -2, "id": 6}]}
    assert unread_logprobs([new], "l.") == [("l.id", 5), ("l.top_logprobs.id", 6)]
