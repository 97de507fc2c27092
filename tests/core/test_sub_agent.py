"""Which thread of an agent makes a request, as its headers say."""

import pytest

from callgate.core.sub_agent import AgentThread, thread_of

SESSION = {"x-claude-code-session-id": "s1"}


@pytest.mark.parametrize(
    ("headers", "thread"),
    [
        ({}, AgentThread()),
        (SESSION, AgentThread("s1")),
        ({**SESSION, "x-claude-code-agent-id": "a1"}, AgentThread("a1", "s1")),
        (
            {**SESSION, "x-claude-code-agent-id": "a2", "x-claude-code-parent-agent-id": "a1"},
            AgentThread("a2", "a1"),
        ),
        ({"x-claude-code-agent-id": "a1"}, AgentThread("a1", "unnamed")),
        ({"thread-id": "t2", "x-codex-parent-thread-id": "t1"}, AgentThread("t2", "t1")),
        ({"thread-id": "t1"}, AgentThread("t1")),
        ({"x-session-id": "b", "x-parent-session-id": "a"}, AgentThread("b", "a")),
        ({"x-claude-code-agent-id": "  "}, AgentThread()),
    ],
)
def test_the_thread_and_its_parent(headers: dict[str, str], thread: AgentThread) -> None:
    assert thread_of(headers) == thread
    assert bool(thread.sub_agent) == bool(thread.parent)


def test_ids_that_can_not_be_shown_stay_different() -> None:
    long = [thread_of({"x-claude-code-agent-id": "a" * 100 + end}).id for end in "xy"]
    assert long[0] != long[1] and all(len(one) < 64 for one in long)
    assert thread_of({"thread-id": "a\u202eb"}).id.startswith("sha256:")
