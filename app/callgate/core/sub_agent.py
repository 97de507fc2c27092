"""Which thread of an agent makes a request, and which thread started that one, as the headers of some agents say.

A header is a claim, like an agent's name. It shows where a request belongs, and it only ever narrows what rules cover.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

HEADERS: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (
        ("x-claude-code-agent-id", "x-claude-code-session-id"),
        ("x-claude-code-parent-agent-id", "x-claude-code-session-id"),
        "x-claude-code-agent-id",
    ),
    (("thread-id",), ("x-codex-parent-thread-id",), "x-codex-parent-thread-id"),
    (("x-session-id",), ("x-parent-session-id",), "x-parent-session-id"),
)
"""Of Claude Code, Codex and opencode: headers with the thread's own id, headers with its parent's (the first that is
there counts), and the one that only a sub-agent sends."""
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class AgentThread:
    id: str = ""
    """Empty: the agent does not say."""
    parent: str = ""
    """Empty: it is the agent itself, no sub-agent."""

    @property
    def sub_agent(self) -> str:
        return self.id if self.parent else ""


def thread_of(headers: Mapping[str, str]) -> AgentThread:
    for own, parent, mark in HEADERS:
        thread = _first(headers, own)
        if headers.get(mark, "").strip():
            # one that does not name its parent is a sub-agent all the same
            return AgentThread(thread or "unnamed", _first(headers, parent) or "unnamed")
        if thread:
            return AgentThread(thread)
    return AgentThread()


def _first(headers: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((_read(value) for name in names if (value := headers.get(name, "").strip())), "")


def _read(value: str) -> str:
    """An id that can be kept and shown; two different ones stay different."""
    if len(value) <= _LONGEST and value.isprintable():
        return value
    return f"sha256:{hashlib.sha256(value.encode('utf-8', 'replace')).hexdigest()[:32]}"
