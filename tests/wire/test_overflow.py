"""Providers' words for a conversation that is too long are known, with their numbers."""

import pytest

from callgate.wire.overflow import in_openai_words, tells_overflow, used_and_limit

WORDS: dict[str, tuple[int, int] | None] = {
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 10,000 tokens.": (
        10000,
        8192,
    ),
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens": (
        140000,
        131072,
    ),
    "Your input exceeds the context window of this model. Please adjust your input and try again.": None,
    "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it": (9000, 8192),
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).": (1200000, 1048576),
    "prompt token count of 130000 exceeds the limit of 128000": (130000, 128000),
    "This model's maximum prompt length is 131072 but the request contains 200000 tokens.": (200000, 131072),
    "Prompt contains 50000 tokens and 0 draft tokens, too large for model with 32768 maximum context length": (
        50000,
        32768,
    ),
    "Invalid request: Your request exceeded model token limit: 131072": None,
    "Please reduce the length of the messages or completion.": None,
    "Input is too long for requested model.": None,
    "The number of tokens to keep from the initial prompt is greater than the context length": None,
    "Range of input length should be [1, 30720]": None,
    "prompt is too long: 210000 tokens > 200000 maximum": (210000, 200000),
    "maximum context length of 100 tokens, but the prompt contains at least 101 input tokens": (101, 100),
}


@pytest.mark.parametrize("text", WORDS)
def test_each_provider_is_understood(text: str) -> None:
    assert tells_overflow(text)
    assert used_and_limit(text) == WORDS[text]


@pytest.mark.parametrize(
    "text", ["max_tokens is too large: 9999", "Rate limit reached: 10000 tokens per min", "busy", ""]
)
def test_other_complaints_are_not_taken_for_it(text: str) -> None:
    assert not tells_overflow(text)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            "prompt is too long: 9 tokens > 8 maximum",
            "Input tokens exceed the configured limit of 8 tokens. Your messages resulted in 9 tokens. "
            "Please reduce the length of the messages.",
        ),
        (
            "too big",
            "Input tokens exceed the configured limit. Please reduce the length of the messages. (too big)",
        ),
        ("This model's maximum context length is 8 tokens.", "This model's maximum context length is 8 tokens."),
        ("It exceeds the context window.", "It exceeds the context window."),
    ],
)
def test_openais_clients_are_told_in_openais_words(given: str, told: str) -> None:
    """LangChain and LiteLLM look at nothing else."""
    assert in_openai_words(given, "exceeds the context window") == told
    assert tells_overflow(told)
    if "9" in told:
        assert used_and_limit(told) == (9, 8)
