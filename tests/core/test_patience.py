import pytest

from callgate.core.patience import gives_up_after, hinted_silence, was_a_timeout


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
    assert gives_up_after("openai-python", True, {"x-stainless-read-timeout": "600"}) is None


@pytest.mark.parametrize(
    ("agent", "headers", "seconds"),
    [
        ("openai-js", {}, 600),
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
