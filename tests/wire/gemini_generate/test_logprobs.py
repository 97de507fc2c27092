"""How likely tokens were, in two lists."""

from callgate.core.messages import TokenLogprob
from callgate.wire.gemini_generate.logprobs import read_logprobs, unread_logprobs, write_logprobs

RESULT = {
    "chosenCandidates": [{"token": "a", "logProbability": -0.5}, {"token": "b", "logProbability": -1}],
    "topCandidates": [{"candidates": [{"token": "c", "logProbability": -2.0}]}],
}
TOKENS = (TokenLogprob("a", -0.5, others=(TokenLogprob("c", -2.0),)), TokenLogprob("b", -1.0))


def test_each_token_has_what_stood_in_the_other_list_at_its_place() -> None:
    assert read_logprobs(RESULT) == TOKENS


def test_what_is_written_reads_the_same() -> None:
    assert read_logprobs(write_logprobs(TOKENS)["logprobsResult"]) == TOKENS
    assert write_logprobs(()) == {}


def test_rubbish_is_nothing() -> None:
    assert read_logprobs({"chosenCandidates": [{"token": 1}, "x"], "topCandidates": "y"}) == read_logprobs(None) == ()


def test_what_is_not_read_is_found() -> None:
    new = {"chosenCandidates": [{"token": "a", "logProbability": -1, "tokenId": 5, "x": 1}], "y": 2}
    assert [name for name, _ in unread_logprobs(new)] == [
        "candidates.logprobsResult.y",
        "candidates.logprobsResult.chosenCandidates.x",
    ]
