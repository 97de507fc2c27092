"""An invocation: one tool call, from its first delta to a terminal state.

    Streaming ─► WaitingForConfirmation ─► Executing ─► WaitingForPostApproval ─► Completed
        │                  │                   │                                     ▲
        ├─ allowed by rule ┼──► Executing / Released                                 │
        └─ denied, skipped, answered ────────────────────────────────────────────────┘
    any live state ─► Cancelled          (time-out, hang-up, stop; a timed-out call still has a result)

`advance()` is pure: it takes a step and returns the next value, or raises `IllegalStep`. Nothing else changes a state.
"""

import hashlib
from dataclasses import dataclass, replace
from typing import Annotated, Literal, assert_never

from pydantic import Field

from callgate.core.messages import CallVariant, ToolResult
from callgate.core.policy import Verdict
from callgate.core.preview import Preview
from callgate.core.tool import Owner
from callgate.core.wording import Wording

State = Literal[
    "Streaming",
    "WaitingForConfirmation",
    "Executing",
    "WaitingForPostApproval",
    "Completed",
    "Cancelled",
    "Released",
]
Reason = Literal[
    "Denied",
    "ConfirmationNotNeeded",
    "Setting",
    "LmServicePerTool",
    "UserAction",
    "Skipped",
    "Timeout",
]
Decider = Literal["person", "rule", "setting", "deadline", "client", "provider", "shutdown"]
GrantScope = Literal["session", "workspace", "always"]
"""For how long and where a rule holds that came from a decision."""
Scope = Literal["once"] | GrantScope
Verb = Literal["approve", "deny", "answer", "skip", "accept", "edit_result", "withhold"]

LIVE: frozenset[State] = frozenset({"Streaming", "WaitingForConfirmation", "Executing", "WaitingForPostApproval"})
WAITING: frozenset[State] = frozenset({"WaitingForConfirmation", "WaitingForPostApproval"})


class IllegalStep(Exception):
    """A step that the state machine does not have: always a bug of the caller."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person, or something acting for one, answers to a waiting invocation."""

    verb: Verb
    arguments: str | None = None
    """Edited arguments; None = as the model wrote them."""
    reason: str = ""
    """Why it was denied: told to the model."""
    result: str = ""
    """With `answer` and `edit_result`: the text that the model gets as the tool's result."""
    scope: Scope = "once"
    by: Decider = "person"
    shown: str = ""
    """Hash (`shown_hash`) of the arguments that the decider saw; a decision on anything else is refused."""
    when: str = ""
    """With a lasting scope: what the saved rule asks of the arguments; empty = it holds for all."""
    uses: int | None = None
    """With a lasting scope: how often the rule may be used; None = as often as it likes."""
    expires: float | None = None
    """With a lasting scope: epoch seconds at which the rule ends."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of time in one state."""

    state: State
    since: float


@dataclass(frozen=True, slots=True)
class Invocation:
    id: str
    exchange_id: str
    conversation_id: str
    round: int
    part: int
    """The part of the round's message that holds the call."""
    call_id: str
    tool: str
    owner: Owner
    source: str
    agent: str
    model: str
    state: State = "Streaming"
    arguments: str = ""
    edited_arguments: str | None = None
    variant: CallVariant = "function"
    verdict: Verdict | None = None
    reason: Reason | None = None
    decided_by: Decider | None = None
    explanation: str = ""
    """The person's or rule's words for the decision."""
    scope: Scope | None = None
    fingerprint: str = ""
    deadline: float | None = None
    """Epoch seconds at which waiting ends: denied, unless the rule that asked says otherwise (`at_deadline`)."""
    client_until: float | None = None
    """Epoch seconds at which its client gives up although it is kept alive; None = it does not."""
    preview: Preview | None = None
    """What the call would do, prepared by its tool for the one who decides."""
    wording: Wording = Wording()
    """The same in words; empty where the tool has none."""
    wall: str = ""
    """What confines the programs that the call starts, in words; empty = it starts none here."""
    result: ToolResult | None = None
    ran_result: ToolResult | None = None
    """What the tool really returned, where a review changed or withheld it."""
    phases: tuple[Phase, ...] = ()

    @property
    def effective_arguments(self) -> str:
        return self.arguments if self.edited_arguments is None else self.edited_arguments

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    @property
    def is_waiting(self) -> bool:
        return self.state in WAITING

    @property
    def refused(self) -> bool:
        """True if the tool did not run because somebody or something said no."""
        return self.reason in ("Denied", "Skipped", "Timeout")

    @property
    def started(self) -> float:
        return self.phases[0].since if self.phases else 0.0

    def seconds_in(self, state: State, now: float) -> float:
        """How long it has been in a state, all visits added up."""
        total = 0.0
        for index, phase in enumerate(self.phases):
            if phase.state == state:
                until = self.phases[index + 1].since if index + 1 < len(self.phases) else now
                total += until - phase.since
        return total


# ---- steps: the only ways forward ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArgumentsComplete:
    """The model has finished writing the call."""

    arguments: str
    wording: Wording = Wording()
    kind: Literal["arguments"] = "arguments"


@dataclass(frozen=True, slots=True)
class Ask:
    """No rule settled it: a person must."""

    verdict: Verdict
    deadline: float | None
    preview: Preview | None = None
    kind: Literal["ask"] = "ask"


@dataclass(frozen=True, slots=True)
class Allow:
    """It may go on: Callgate runs it, or (owner = client) the client does."""

    reason: Reason
    by: Decider
    verdict: Verdict | None = None
    arguments: str | None = None
    explanation: str = ""
    scope: Scope | None = None
    wording: Wording | None = None
    """Given where edited arguments make for other words."""
    kind: Literal["allow"] = "allow"


@dataclass(frozen=True, slots=True)
class Settle:
    """It ends without running: denied, skipped or answered by a person; the result says so."""

    result: ToolResult
    reason: Reason
    by: Decider
    verdict: Verdict | None = None
    explanation: str = ""
    kind: Literal["settle"] = "settle"


@dataclass(frozen=True, slots=True)
class Return:
    """The tool has run."""

    result: ToolResult
    review: Verdict | None = None
    """Given where a person must see the result first, and why."""
    deadline: float | None = None
    kind: Literal["return"] = "return"


@dataclass(frozen=True, slots=True)
class Review:
    """A person has looked at the result: this is what the model gets."""

    result: ToolResult
    explanation: str = ""
    kind: Literal["review"] = "review"


@dataclass(frozen=True, slots=True)
class Cancel:
    """Time-out, hang-up or stop. A time-out brings the result that the model is told."""

    by: Decider
    reason: Reason | None = None
    explanation: str = ""
    result: ToolResult | None = None
    kind: Literal["cancel"] = "cancel"


Step = Annotated[ArgumentsComplete | Ask | Allow | Settle | Return | Review | Cancel, Field(discriminator="kind")]

TABLE: dict[State, frozenset[str]] = {
    "Streaming": frozenset({"arguments", "ask", "allow", "settle", "cancel"}),
    "WaitingForConfirmation": frozenset({"allow", "settle", "cancel"}),
    "Executing": frozenset({"return", "cancel"}),
    "WaitingForPostApproval": frozenset({"review", "cancel"}),
    "Completed": frozenset(),
    "Cancelled": frozenset(),
    "Released": frozenset(),
}
"""Which steps each state takes; everything else is refused."""


def advance(invocation: Invocation, step: Step, now: float) -> Invocation:
    """The invocation after a step."""
    if step.kind not in TABLE[invocation.state]:
        raise IllegalStep(f"{invocation.id} ({invocation.tool}) is {invocation.state}; it takes no {step.kind!r}")
    match step:
        case ArgumentsComplete():
            return replace(invocation, arguments=step.arguments, wording=step.wording)
        case Ask():
            asked = replace(invocation, verdict=step.verdict, deadline=step.deadline, preview=step.preview)
            return _enter(asked, "WaitingForConfirmation", now)
        case Allow():
            return _allow(invocation, step, now)
        case Settle():
            settled = replace(
                invocation,
                verdict=step.verdict or invocation.verdict,
                reason=step.reason,
                decided_by=step.by,
                explanation=step.explanation,
                result=step.result,
            )
            return _enter(settled, "Completed", now)
        case Return():
            if step.review is not None:
                held = replace(invocation, ran_result=step.result, verdict=step.review, deadline=step.deadline)
                return _enter(held, "WaitingForPostApproval", now)
            return _enter(replace(invocation, result=step.result), "Completed", now)
        case Review():
            reviewed = replace(invocation, result=step.result, explanation=step.explanation or invocation.explanation)
            return _enter(reviewed, "Completed", now)
        case Cancel():
            cancelled = replace(
                invocation,
                decided_by=step.by,
                reason=step.reason or invocation.reason,
                explanation=step.explanation,
                result=step.result,
            )
            return _enter(cancelled, "Cancelled", now)
        case _:
            assert_never(step)


def _allow(invocation: Invocation, step: Allow, now: float) -> Invocation:
    allowed = replace(
        invocation,
        verdict=step.verdict or invocation.verdict,
        reason=step.reason,
        decided_by=step.by,
        explanation=step.explanation,
        scope=step.scope,
        edited_arguments=step.arguments,
        wording=invocation.wording if step.wording is None else step.wording,
    )
    return _enter(allowed, "Executing" if invocation.owner == "gate" else "Released", now)


def _enter(invocation: Invocation, state: State, now: float) -> Invocation:
    return replace(invocation, state=state, phases=(*invocation.phases, Phase(state, now)))


# ---- what the model is told ----------------------------------------------------------------------------------------

_FINAL = "Do not retry it and do not look for another way to do the same thing; go on without it or ask the user."


def denied_text(tool: str, reason: str, by: str) -> str:
    given = reason.strip()
    ending = "" if given.endswith((".", "!", "?")) else "."
    why = f" Reason given: {given}{ending}" if given else ""
    return f"Tool call '{tool}' was not run: denied by {by}. Nothing was executed or changed.{why} {_FINAL}"


def skipped_text(tool: str) -> str:
    return f"Tool call '{tool}' was not run: the user chose to go on without it. Nothing was changed. {_FINAL}"


def timed_out_text(tool: str, seconds: float) -> str:
    waited = f"nobody approved it within {seconds:.0f} seconds"
    return f"Tool call '{tool}' was not run: {waited}. Nothing was executed or changed. {_FINAL}"


def unreviewed_text(tool: str, seconds: float) -> str:
    return f"Tool call '{tool}' ran, but nobody released its result within {seconds:.0f} seconds. {_FINAL}"


def unseen_text(tool: str) -> str:
    return f"Tool call '{tool}' ran, but nobody is there to release its result. {_FINAL}"


def shown_hash(arguments: str) -> str:
    """Binds a decision to exactly the text that was shown."""
    return hashlib.sha256(arguments.encode("utf-8", "surrogatepass")).hexdigest()
