"""What the demo model does next in a conversation: calls, or an answer.

Honours the tool choice, never repeats a call of the turn, and never comes back to a tool that was refused. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from callgate.core.ids import new_id
from callgate.core.messages import CallVariant, Json
from callgate.core.tool import ToolSpec
from callgate.upstream.demo_answer import after_calls, before_calls, is_refusal, without_calls
from callgate.upstream.demo_arguments import fill
from callgate.upstream.demo_choice import Ask, best_guess, choose
from callgate.upstream.demo_schema import DemoSchema
from callgate.upstream.demo_task import Made, Task, count_tokens
from callgate.wire.json_text import dump_text, parse

MOST_CALLS = 8
"""In one answer; nobody can follow more at once."""

_ANSWERS = frozenset({"answer", "text", "summary", "result", "message", "content", "response", "reply"})

Finish = Literal["stop", "tool_calls", "function_call", "length"]


@dataclass(frozen=True, slots=True)
class PlannedCall:
    id: str
    name: str
    arguments: str
    variant: CallVariant = "function"


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    calls: tuple[PlannedCall, ...] = ()
    finish: Finish = "stop"

    @property
    def tokens(self) -> int:
        return count_tokens(self.text) + sum(
            count_tokens(call.name) + count_tokens(call.arguments) for call in self.calls
        )


def plan(task: Task) -> Said:
    tools = _permitted(task)
    asks = [] if task.choice.mode == "none" else choose(task.words, tools)
    refused = {call.name for call in task.made if is_refusal(call.result or "")}
    ready = [ask for ask in asks if not ask.missing]
    batch = [ask for ask in _not_yet_made(ready, task.made) if ask.tool.name not in refused]
    batch = [ask for ask in batch if ask.step == batch[0].step]
    if not batch and task.choice.mode == "required" and not task.made:
        # a demand is met once a turn: a client that repeats it with every round would otherwise never get an answer
        left = [tool for tool in tools if tool.name not in refused]
        batch = [best_guess(task.words, left)] if left else []
    batch = batch[:MOST_CALLS] if task.parallel else batch[:1]
    if batch:
        said = _calling(task, batch)
    else:
        said = _answering(task, tools, [ask for ask in asks if ask.missing])
    return _within_limits(said, task)


def _permitted(task: Task) -> tuple[ToolSpec, ...]:
    if not task.choice.names:
        return task.tools
    return tuple(tool for tool in task.tools if tool.name in task.choice.names)


def _not_yet_made(asks: Sequence[Ask], made: Sequence[Made]) -> list[Ask]:
    """A person may have edited a call before it ran: one of the same tool counts even if its arguments differ."""
    left = list(made)
    fresh: list[Ask] = []
    for ask in asks:
        same = next((call for call in left if _is_same(ask, call)), None)
        if same:
            left.remove(same)
        else:
            fresh.append(ask)
    kept: list[Ask] = []
    for ask in fresh:
        edited = next((call for call in left if call.name == ask.tool.name), None)
        if edited:
            left.remove(edited)
        else:
            kept.append(ask)
    return kept


def _is_same(ask: Ask, call: Made) -> bool:
    if ask.tool.name != call.name:
        return False
    if isinstance(ask.arguments, str):
        return ask.arguments == call.arguments
    try:
        return parse(call.arguments) == ask.arguments
    except ValueError:
        return False


def _calling(task: Task, batch: Sequence[Ask]) -> Said:
    calls = tuple(
        PlannedCall(
            new_id("call"),
            ask.tool.name,
            ask.arguments if isinstance(ask.arguments, str) else dump_text(ask.arguments),
            ask.tool.variant,
        )
        for ask in batch
    )
    text = "" if task.format.kind != "text" else before_calls(task, [call.name for call in calls])
    return Said(text, calls, "function_call" if task.legacy else "tool_calls")


def _answering(task: Task, tools: Sequence[ToolSpec], open_asks: Sequence[Ask]) -> Said:
    text = after_calls(task, open_asks) if task.made else without_calls(task, tools, open_asks)
    match task.format.kind:
        case "json_object":
            used: list[Json] = list(dict.fromkeys(call.name for call in task.made))
            return Said(dump_text({"answer": text, "tools_used": used}))
        case "json_schema" if isinstance(task.format.schema, dict):
            return Said(dump_text(_shaped(task.format.schema, task.words, text)))
        case _:
            return Said(text)


def _shaped(schema: dict[str, Json], words: str, text: str) -> Json:
    """The answer in a demanded shape: what the person's words give, and the answer itself where it belongs."""
    root = DemoSchema(schema)
    if root.kind(schema) != "object":
        return text if root.accepts(text, schema) else root.assume(schema)
    filled = fill(schema, words)
    properties = root.properties()
    for name in properties:
        wanted = name in filled.missing or (name in _ANSWERS and name in root.required())
        if wanted and root.accepts(text, properties[name]):
            filled.values[name] = text
    return filled.values


def _within_limits(said: Said, task: Task) -> Said:
    for word in task.stop:
        cut = said.text.find(word)
        if cut >= 0:
            said = Said(said.text[:cut])
    if task.max_tokens is None or said.tokens <= task.max_tokens:
        return said
    text = _first_tokens(said.text, task.max_tokens)
    left = task.max_tokens - count_tokens(text)
    calls: list[PlannedCall] = []
    for call in said.calls if text == said.text else ():
        left -= count_tokens(call.name)
        if left <= 0:
            break
        calls.append(replace(call, arguments=_first_tokens(call.arguments, left)))
        left -= count_tokens(calls[-1].arguments)
    return Said(text, tuple(calls), "length")


def _first_tokens(text: str, most: int) -> str:
    """As much of a text as the tokens allow."""
    if count_tokens(text) <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(text[:middle]) <= most:
            low = middle
        else:
            high = middle - 1
    return text[:low]
