"""What providers say of a prompt that is too long."""

import pytest

from callgate.wire.overflow import in_openai_words, used_and_limit


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("prompt is too long: 210000 tokens > 200000 maximum", ("210000", "200000")),
        ("request (9000 tokens) exceeds the available context size (8192 tokens)", ("9000", "8192")),
        (
            "The input token count (1,200,000) exceeds the maximum number of tokens allowed (1048576).",
            ("1200000", "1048576"),
        ),
        (
            "This model's maximum context length is 8,192 tokens. However, you requested 10,000 tokens.",
            ("10000", "8192"),
        ),
        ("maximum context length of 100 tokens, but the prompt contains at least 101 input tokens", ("101", "100")),
        ("Your input exceeds the context window of this model.", None),
    ],
)
def test_the_numbers_are_found_in_each_sentence(text: str, found: tuple[str, str] | None) -> None:
    assert used_and_limit(text) == found


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
    assert in_openai_words(told) == told or "window" in given
    if "9" in told:
        assert used_and_limit(told) == ("9", "8")
