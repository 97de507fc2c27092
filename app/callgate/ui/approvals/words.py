"""The plain words about a waiting call: what it may do, why it is asked about, how long is left, how it ended. Pure."""

from typing import Final

from callgate.core.agent import OWN_NAME
from callgate.core.calls.invocation import Invocation
from callgate.core.calls.tool_facts import ToolFacts
from callgate.core.events import InvocationChanged
from callgate.core.tool import CLIENT_SOURCE
from callgate.ui.decision.deadline_words import deadline_words, late_verb
from callgate.ui.decision.draft import answered_by_person, no_record_warning
from callgate.ui.text.hidden_characters import reveal, reveal_name
from callgate.ui.widgets.agent_name import shown_name
from callgate.ui.widgets.hint_row import Hint, fact_hints

_PLACES: Final = {
    "dialog": "in the dialog",
    "card": "in the conversation",
    "queue": "in the queue",
    "terminal": "in the terminal",
}
SOON: Final = 30.0
"""Seconds before the deadline at which the countdown becomes urgent."""


def headline(invocation: Invocation, registered: bool = False) -> str:
    """`registered`: whether an agent of that name has a token."""
    agent = shown_name(invocation.agent, invocation.agent_proven, registered) or "An agent"
    tool = reveal_name(invocation.tool)
    if invocation.state == "WaitingForPostApproval":
        return f"{tool} has run for {agent}. May the model see the result?"
    if answered_by_person(invocation):
        return f"{agent} asks you: {tool}"
    return f"{agent} wants to run {tool}"


def facts(invocation: Invocation) -> str:
    """Where it comes from and who runs it, in one line."""
    own = invocation.source in ("", CLIENT_SOURCE)
    where = "the agent's own tool" if own else f"from {reveal_name(invocation.source)}"
    runs = "the agent will run it" if invocation.owner == "client" else "Callgate will run it"
    if invocation.state == "WaitingForPostApproval":
        runs = "it has run"
    elif invocation.is_gone:
        runs = "it can't run: its tool was removed"
    elif answered_by_person(invocation):
        where, runs = "a question to a person", "nothing runs: your answer is its result"
    helper = f"sub-agent {reveal_name(invocation.sub_agent)} of {reveal_name(invocation.parent_agent)}"
    helper = helper if invocation.sub_agent else ""
    model = f"called by {reveal_name(invocation.model)}" if invocation.model else ""
    # the first line says which source it is, as `where` does; a single one says no more than that
    executor = "  ·  ".join(reveal(line) for line in invocation.executor_lines[1:])
    return "  ·  ".join(piece for piece in (where, executor, helper, model, runs) if piece)


def proof(invocation: Invocation) -> str:
    """How much its agent's name is worth."""
    if not invocation.agent or invocation.agent == OWN_NAME:
        return ""
    return "agent proven by token" if invocation.agent_proven else "agent's name claimed"


def hints(invocation: Invocation, known: ToolFacts) -> tuple[Hint, ...]:
    """What can't be recorded, what is known of the tool, and what would have made the question needless."""
    warning = no_record_warning(invocation)
    unrecorded = (Hint(warning, "danger", "warning"),) if warning else ()
    return (*unrecorded, *_of_tool(invocation, known), *_of_agent(invocation))


def _of_agent(invocation: Invocation) -> tuple[Hint, ...]:
    if invocation.verdict is None or not invocation.verdict.needs_proof:
        return ()
    return (Hint(f"Make a token for {reveal_name(invocation.agent)}: page Agents, Ctrl+Shift+G", "mind", "key"),)


def _of_tool(invocation: Invocation, known: ToolFacts) -> tuple[Hint, ...]:
    if invocation.state == "WaitingForPostApproval" or answered_by_person(invocation):
        return ()
    return fact_hints(known)


def why(invocation: Invocation) -> str:
    if invocation.state == "WaitingForPostApproval":
        return "Results of this tool are reviewed before the model sees them."
    if answered_by_person(invocation):
        return "Only a person can answer it."
    verdict = invocation.verdict
    if verdict is None or verdict.reason in ("", "no rule matched"):
        suspended = verdict is not None and any(line.outcome.startswith("suspended") for line in verdict.trace)
        if suspended:
            return "The tool's definition has changed since you allowed it, so you decide."
        return "No rule matches, so you decide."
    return f"You decide: {reveal(verdict.reason)}"


def trace(invocation: Invocation) -> str:
    """Every rule that was tried, one a line."""
    lines = invocation.verdict.trace if invocation.verdict is not None else ()
    return "\n".join(f"{reveal(line.rule)}  —  {reveal(line.outcome)}" for line in lines)


def time_left(invocation: Invocation, now: float) -> str:
    """What ends a wait first, the deadline or the agent's patience; empty = nothing does."""
    if invocation.deferred and invocation.seen_at is None:
        return "Not shown yet"
    deadline, leaves = invocation.deadline, invocation.client_until
    if leaves is not None and (deadline is None or leaves < deadline):
        return f"Agent gives up in {clock(leaves - now)}" if leaves > now else "Agent may be gone"
    return deadline_words(invocation, now)


def is_urgent(invocation: Invocation, now: float) -> bool:
    ends = [end for end in (invocation.deadline, invocation.client_until) if end is not None]
    return bool(ends) and min(ends) - now <= SOON


def late_words(invocation: Invocation) -> str:
    """What becomes of a call that is not decided in time."""
    match late_verb(invocation):
        case "withholds":
            return "The result is withheld from the model unless you decide before"
        case "allows":
            return "Allowed unless you decide before, as the rule that asks says"
        case _:
            return "Denied unless you decide before"


def clock(seconds: float) -> str:
    """A span as m:ss, or h:mm:ss."""
    whole = max(0, int(seconds))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def ending(event: InvocationChanged) -> str:
    """How a wait ended, for those who were looking at it."""
    invocation = event.invocation
    tool = reveal_name(invocation.tool)
    place = _PLACES.get(event.initiator, "")
    if invocation.reason == "Timeout":
        return f"{tool}: not decided in time, so it was denied."
    if invocation.state == "Cancelled":
        because = f": {reveal(invocation.explanation)}" if invocation.explanation else ""
        return f"{tool} was cancelled{because}."
    verb = "denied" if invocation.reason == "Denied" else "skipped" if invocation.reason == "Skipped" else "decided"
    if invocation.state in ("Executing", "Released"):
        verb = "approved"
    by = f" {place}" if place else " by a rule" if invocation.decided_by == "rule" else ""
    return f"{tool} was {verb}{by}."
