import pytest

from callgate.proxy.agents import agent_of


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        ({"user-agent": "OpenAI/Python 3.49.0"}, "openai-python"),
        ({"user-agent": "AsyncOpenAI/Python 3.49.0"}, "openai-python"),
        ({"user-agent": "claude-cli/2.1.325 (external, cli)"}, "claude-code"),
        ({"user-agent": "codex_exec/0.166.0 (Debian)"}, "codex"),
        ({"user-agent": "GeminiCLI/0.61 (linux)"}, "gemini-cli"),
        ({"user-agent": "google-genai-sdk/3.1.0 gl-python/3.11.7"}, "google-genai"),
        ({"user-agent": "ai/5.0.1 ai-sdk/openai-compatible/2.0.3 runtime/node.js/22"}, "vercel-ai"),
        ({"user-agent": "Agents/Python 0.24.0"}, "openai-agents"),
        ({"user-agent": "ls/JS 5.23.2"}, "continue"),
        ({"user-agent": "OpenAI/JS 5.20.1", "x-initiator": "agent"}, "copilot"),
        ({"user-agent": "OpenAI/JS 5.20.1"}, "openai-js"),
        ({"user-agent": "opencode/1.18 ai-sdk/openai", "x-initiator": "agent"}, "opencode"),
        ({"user-agent": "curl/8.5.0"}, "curl"),
        ({"user-agent": "my_script 1.0"}, "my_script"),
        ({"user-agent": "<script>"}, "unknown"),
        ({}, "unknown"),
        ({"x-callgate-agent": "nightly-job", "user-agent": "curl/8"}, "nightly-job"),
        ({"x-callgate-agent": "\x1b[31m", "user-agent": "curl/8"}, "curl"),
    ],
)
def test_a_program_is_known_by_what_it_says_of_itself(headers: dict[str, str], name: str) -> None:
    assert agent_of(headers) == name
