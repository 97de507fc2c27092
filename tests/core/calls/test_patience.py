import pytest

from callgate.core.calls.patience import beat_within, gives_up_after, hinted_silence, was_a_timeout


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x-stainless-read-timeout": "600"}, 600.0),
        ({"x-stainless-read-timeout": "600.0"}, 600.0),
        ({"x-stainless-timeout": "NOT_GIVEN"}, None),
        ({"x-stainless-timeout": "NOT_GIVEN", "x-server-timeout": "10"}, 10.0),
        ({"x-server-timeout": "-1"}, None),
        ({}, None),
    ],
)
def test_a_clients_own_limit_is_read_with_care(headers: dict[str, str], seconds: float | None) -> None:
    assert hinted_silence(headers) == seconds


def test_claude_code_leaves_after_ten_minutes_whatever_flows() -> None:
    assert gives_up_after("claude-code", True, {}) == 600
    assert gives_up_after("claude-code", False, {"x-stainless-timeout": "600"}) == 600


@pytest.mark.parametrize(
    ("agent", "headers"),
    [
        ("openai-python", {"x-stainless-read-timeout": "600"}),
        ("openai-js", {}),
        ("anthropic-python", {"x-stainless-timeout": "NOT_GIVEN"}),
        ("anthropic-js", {"x-stainless-timeout": "600"}),
        ("vercel-ai", {}),
        ("opencode", {}),
        ("codex", {}),
        ("qwen-code", {}),
        ("gemini-cli", {}),
        ("google-genai", {"x-server-timeout": "10", "user-agent": "google-genai-sdk/1 gl-node/22"}),
        ("unknown", {}),
    ],
)
def test_every_other_client_bears_a_stream_that_is_kept_alive(agent: str, headers: dict[str, str]) -> None:
    """Measured for more than ten minutes, or for more than its timer for silence, which keep-alives reset."""
    assert gives_up_after(agent, True, headers) is None


@pytest.mark.parametrize(
    ("agent", "headers", "seconds"),
    [
        ("openai-js", {}, 600),
        ("qwen-code", {}, 120),
        ("vercel-ai", {}, None),
        ("gemini-cli", {}, None),
        ("openai-python", {"x-stainless-read-timeout": "10"}, None),
        ("anthropic-js", {"x-stainless-timeout": "10"}, None),
        ("google-genai", {"user-agent": "google-genai-sdk/1 gl-node/22", "x-server-timeout": "10"}, 10),
        ("google-genai", {"user-agent": "google-genai-sdk/1 gl-node/22"}, None),
        ("google-genai", {"user-agent": "google-genai-sdk/1 gl-python/3.11", "x-server-timeout": "10"}, None),
    ],
)
def test_some_clients_limit_the_whole_of_a_plain_answer(
    agent: str, headers: dict[str, str], seconds: float | None
) -> None:
    assert gives_up_after(agent, False, headers) == seconds
    assert gives_up_after(agent, True, headers) is None


def test_leaving_early_is_a_persons_doing_and_leaving_late_a_timeout() -> None:
    assert not was_a_timeout(3, {})
    assert was_a_timeout(60, {})
    assert was_a_timeout(9.5, {"x-stainless-read-timeout": "10"})
    assert not was_a_timeout(5, {"x-stainless-read-timeout": "10"})


def test_leaving_at_the_limit_of_the_whole_answer_is_a_timeout_however_short_the_hold() -> None:
    assert was_a_timeout(3, {}, seconds_left=2)
    assert not was_a_timeout(3, {}, seconds_left=400)


def test_a_client_that_bears_little_silence_hears_something_in_time() -> None:
    assert beat_within({"x-stainless-read-timeout": "4"}) == 2
    assert beat_within({"x-stainless-read-timeout": "0.1"}) == 0.2
    assert beat_within({"x-stainless-timeout": "NOT_GIVEN"}) is None
