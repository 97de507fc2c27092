"""A week of work as several agents leave it: a list, a table and plots that are as full as those of a real person."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from tests.fakes.gallery import BY_PERSON, BY_RULE, Gallery, asked, returned

from callgate.core.calls.invocation import Settle, denied_text
from callgate.core.errors import Fault
from callgate.core.events import Event, ExchangeStarted, RoundStarted
from callgate.core.messages import Text, ToolResult, Usage
from callgate.core.request import WireName

DAY: Final = 86_400.0


@dataclass(frozen=True)
class Plan:
    """One conversation: who asked what, how long ago, and how much came of it."""

    agent: str
    model: str
    endpoint: str
    wire: WireName
    question: str
    days_ago: float
    turns: int
    tools: tuple[str, ...] = ()
    ending: str = "completed"


WEEK: Final = (
    Plan("claude-code", "claude-opus-4-1", "anthropic", "anthropic",
         "Fix the flaky `test_sync` on CI and explain **why** it only fails there", 0.01, 5,
         ("read_file", "run_command", "edit_file")),
    Plan("codex", "gpt-5", "openai", "openai-responses",
         "Rename the module `box` to `store` and fix every import", 0.06, 4, ("search_text", "edit_file")),
    Plan("my_script.py", "claude-sonnet-4-5", "anthropic", "openai-chat",
         "What is the weather in London tomorrow, and do I need an umbrella?", 0.11, 1, ("get_weather",)),
    Plan("gemini-cli", "gemini-2.5-pro", "google", "gemini",
         "Summarise the last ten commits for the release notes", 0.3, 2, ("git_log", "read_file")),
    Plan("notebook", "qwen3:32b", "ollama", "openai-chat",
         "Plot the latency of each endpoint over the last day", 1.05, 3, ("query_database", "plot")),
    Plan("claude-code", "claude-opus-4-1", "anthropic", "anthropic",
         "# Review\n\nLook at the diff of `HEAD~3..` and tell me what you would change", 1.2, 3,
         ("git_diff", "read_file")),
    Plan("codex", "gpt-5", "openai", "openai-responses",
         "Find out which endpoint returns a 500 under load", 1.6, 2, ("http_get", "run_command"), "failed"),
    Plan("my_script.py", "claude-sonnet-4-5", "anthropic", "openai-chat",
         "Translate the error messages into German, keep the placeholders", 2.2, 2, ("read_file", "edit_file")),
    Plan("claude-code", "claude-haiku-4-5", "anthropic", "anthropic",
         "Write a migration that adds `deleted_at` to every table", 3.1, 4, ("query_database", "edit_file")),
    Plan("gemini-cli", "gemini-2.5-flash", "google", "gemini",
         "Which of our dependencies have no release in two years?", 3.4, 1, ("run_command", "http_get")),
    Plan("notebook", "qwen3:32b", "ollama", "openai-chat", "Explain the query plan below", 4.2, 1, (), "cancelled"),
    Plan("codex", "gpt-5-mini", "openai", "openai-responses",
         "Delete the branches that were merged before September", 5.0, 2, ("run_command",)),
    Plan("claude-code", "claude-opus-4-1", "anthropic", "anthropic",
         "Profile the start of the program and cut it in half", 5.7, 5, ("run_command", "read_file", "edit_file")),
)  # fmt: skip
ANSWER: Final = (
    "I looked at it step by step. The short answer: **yes**, and the change is small.\n\n"
    "- the cause is in `store/sync.py`\n- two tests cover it now\n- nothing else depends on the old order\n"
)
ARGUMENTS: Final = {
    "read_file": '{"path": "store/sync.py", "start_line": 30, "end_line": 60}',
    "edit_file": '{"path": "store/sync.py", "line": 41, "text": "with self._lock:"}',
    "run_command": '{"command": "pytest -x tests/test_sync.py | tail -50"}',
    "search_text": '{"query": "import box", "mode": "text"}',
    "http_get": '{"url": "https://ci.example/api/runs/4711"}',
    "query_database": '{"sql": "SELECT endpoint, count(*) FROM log GROUP BY 1"}',
    "get_weather": '{"city": "London", "days": 1}',
}


def busy_week(now: float, seed: int = 11) -> Iterator[Event]:
    """Everything is over; the newest ended some minutes ago."""
    chance = random.Random(seed)
    for number, plan in enumerate(WEEK):
        yield from _conversation(f"week_{number}", plan, now - plan.days_ago * DAY - 240, chance)


def _conversation(conversation: str, plan: Plan, at: float, chance: random.Random) -> Iterator[Event]:
    story = Gallery(conversation, at, plan.agent, plan.model)
    for turn in range(plan.turns):
        question = plan.question if turn == 0 else "Go on, and tell me what is left."
        ends = plan.ending if turn == plan.turns - 1 else "completed"
        for event in _turn(story, plan, question, ends, chance):
            if isinstance(event, ExchangeStarted):
                event = replace(event, wire=plan.wire)
            elif isinstance(event, RoundStarted):
                event = replace(event, endpoint=plan.endpoint)
            yield event
        story.at += 20 + 60 * chance.random()


def _turn(story: Gallery, plan: Plan, question: str, ending: str, chance: random.Random) -> Iterator[Event]:
    yield from story.ask(Text(question))
    for tool in plan.tools:
        yield from story.open_round()
        yield from story.speak(0, "Let me look.")
        yield from _call(story, tool, chance)
        story.at += 1 + 4 * chance.random()
        yield from story.close_round(_usage(chance), "tool_calls")
    yield from story.open_round()
    if ending != "completed":
        fault = Fault("upstream", "The provider closed the connection in the middle of its answer.")
        yield from story.close(ending, fault if ending == "failed" else None)
        return
    yield from story.speak(0, ANSWER)
    story.at += 1 + 6 * chance.random()
    yield from story.close_round(_usage(chance), "stop")
    yield from story.close()


def _call(story: Gallery, tool: str, chance: random.Random) -> Iterator[Event]:
    arguments = ARGUMENTS.get(tool, "{}")
    kind = chance.random()
    if kind < 0.5:
        yield from story.call(1, tool, arguments, BY_RULE, returned("ok", error=chance.random() < 0.12))
    elif kind < 0.88:
        waiting = asked(story.at)
        story.at += 1 + 14 * chance.random()
        yield from story.call(1, tool, arguments, waiting, BY_PERSON, returned("ok"))
    else:
        denial = ToolResult("", (Text(denied_text(tool, "not here", "the user")),), True)
        yield from story.call(1, tool, arguments, asked(story.at), Settle(denial, "Denied", "person"))


def _usage(chance: random.Random) -> Usage:
    fresh = chance.randrange(900, 26_000)
    return Usage(fresh, chance.randrange(40, 1400), int(fresh * chance.random()), 0, chance.choice((0, 0, 140, 900)))
