"""An invocation: one tool call, from its first delta to a terminal state.

    Streaming ─► WaitingForConfirmation ─► Executing ─► WaitingForPostApproval ─► Completed
        │                  │                   │                                     ▲
        ├─ allowed by rule ┼──► Executing / Released                                 │
        └─ denied, skipped, answered ────────────────────────────────────────────────┘
    Executing ─ void ─► WaitingForConfirmation / Executing / Completed
                                         (what would run is not what was decided; nothing ran yet, so it is judged anew)
    any live state ─► Cancelled          (time-out, hang-up, stop; a timed-out call still has a result)

`advance()` is pure: it takes a step and returns the next value, or raises `IllegalStep`. Nothing else changes a state.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Annotated, Literal, assert_never

from pydantic import Field

from callgate.core.agent import identity
from callgate.core.calls.binding import Binding, BindingChange
from callgate.core.calls.preview import Preview, state_of
from callgate.core.calls.wording import Wording
from callgate.core.messages import CallVariant, ToolResult
from callgate.core.rules.policy import Verdict
from callgate.core.rules.rule import Within
from callgate.core.tool import Owner

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
Decider = Literal["person", "rule", "setting", "deadline", "client", "provider", "shutdown", "leaving"]
"""`shutdown`: the program ended, or was ended; `leaving`: the person quit it."""
GrantScope = Literal["turn", "conversation", "session", "workspace", "always"]
"""For how long and where a rule holds that came from a decision, the narrowest first."""
GRANT_SCOPES: tuple[GrantScope, ...] = ("turn", "conversation", "session", "workspace", "always")
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
    """`shown_hash` of the call that the decider saw; a decision on anything else is refused."""
    when: str = ""
    """With a lasting scope: what the saved rule asks of the arguments; empty = it holds for all."""
    uses: int | None = None
    """With a lasting scope: how often the rule may be used; None = as often as it likes."""
    expires: float | None = None
    """With a lasting scope: epoch seconds at which the rule ends."""
    sub_agents: bool = True
    """With an approval for a session or longer: whether the rule covers the agent's sub-agents too."""
    reason_later: bool = False
    """A denial without a reason: final at once, but the person may still say why for a few seconds."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of time in one state."""

    state: State
    since: float


@dataclass(frozen=True, slots=True)
class Voided:
    """A decision that did not count any more when the call was about to run."""

    at: float
    by: Decider | None
    why: str
    place: int = 0
    """How many phases went before it: the one in which it would have run is none, as nothing ran."""


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
    """Of the tool's definition, as it was judged and shown."""
    executor: str = ""
    """Digest of what runs it, as it was judged and shown; empty = nothing was bound."""
    executor_lines: tuple[str, ...] = ()
    """The same in words: source, command line, callback address, server."""
    change: BindingChange | None = None
    """How the tool differs from what the model was offered or the person was shown first."""
    voided: tuple[Voided, ...] = ()
    deadline: float | None = None
    """Epoch seconds at which waiting ends: denied, unless the rule that asked says otherwise (`at_deadline`)."""
    seen_at: float | None = None
    """Epoch seconds at which what is asked was first on a person's screen; None = it was not, as far as is known."""
    deferred: bool = False
    """Whether `deadline` has been put off, as the call was not shown to a person in time."""
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
    reason_at: float | None = None
    """Epoch seconds at which a denial got its reason, where it was final before that; None = it came with it."""
    agent_proven: bool = False
    """True: a token proved the agent's name; False: it is what the client says of itself."""
    turn: str = ""
    """The exchange that began its turn; empty = its conversation has none, as for calls over MCP."""

    sub_agent: str = ""
    """The sub-agent that made it, by the id that its agent gives it; empty = the agent itself, as far as is known."""
    parent_agent: str = ""
    """The thread of the agent that started the sub-agent."""

    @property
    def within(self) -> Within:
        """Where rules for one turn or conversation look for it. A sub-agent may share its parent's history."""
        caller = identity(self.agent, self.agent_proven)
        return Within(self.conversation_id, f"{caller}\n{self.sub_agent}" if self.sub_agent else caller, self.turn)

    @property
    def effective_arguments(self) -> str:
        return self.arguments if self.edited_arguments is None else self.edited_arguments

    @property
    def binding(self) -> Binding:
        return Binding(self.fingerprint, self.executor, self.executor_lines, self.source)

    @property
    def is_gone(self) -> bool:
        """Its tool is not there any more: it can be refused or answered, but not run."""
        return self.change is not None and self.change.gone

    @property
    def was_voided(self) -> bool:
        """Whether its latest change of state made a decision void."""
        return bool(self.voided) and len(self.phases) == self.voided[-1].place + 1

    @property
    def previewed(self) -> str:
        """The state that its preview was made of; empty = it depends on none."""
        return state_of(self.preview)

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
    binding: Binding | None = None
    """What it is judged as; None = that is not known."""
    change: BindingChange | None = None
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
class Rebind:
    """Its tool or its preview is different now; what was shown before can't be decided on any more."""

    binding: Binding | None
    change: BindingChange | None
    preview: Preview | None
    verdict: Verdict | None = None
    kind: Literal["rebind"] = "rebind"


@dataclass(frozen=True, slots=True)
class Void:
    """About to run, it turned out not to be what was decided: nothing ran, and it is judged anew."""

    binding: Binding | None
    change: BindingChange | None
    then: Ask | Allow | Settle
    kind: Literal["void"] = "void"


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


@dataclass(frozen=True, slots=True)
class Explain:
    """The reason for a person's denial, given when it was final already. It changes only what the model is told."""

    reason: str
    result: ToolResult
    kind: Literal["explain"] = "explain"


Step = Annotated[
    ArgumentsComplete | Ask | Allow | Settle | Rebind | Void | Return | Review | Cancel | Explain,
    Field(discriminator="kind"),
]

TABLE: dict[State, frozenset[str]] = {
    "Streaming": frozenset({"arguments", "ask", "allow", "settle", "cancel"}),
    "WaitingForConfirmation": frozenset({"allow", "settle", "rebind", "cancel"}),
    "Executing": frozenset({"return", "void", "rebind", "cancel"}),
    "WaitingForPostApproval": frozenset({"review", "cancel"}),
    "Completed": frozenset({"explain"}),
    "Cancelled": frozenset(),
    "Released": frozenset(),
}
"""Which steps each state takes; everything else is refused. A call takes "explain" only once, and only after a person's
denial that gave no reason; it stays what it is."""


def advance(invocation: Invocation, step: Step, now: float) -> Invocation:
    """The invocation after a step."""
    if step.kind not in TABLE[invocation.state]:
        raise IllegalStep(f"{invocation.id} ({invocation.tool}) is {invocation.state}; it takes no {step.kind!r}")
    match step:
        case ArgumentsComplete():
            complete = replace(invocation, arguments=step.arguments, wording=step.wording)
            return _bound(complete, step.binding, step.change)
        case Ask():
            asked = replace(_put(invocation, step.deadline), verdict=step.verdict, preview=step.preview)
            return _enter(asked, "WaitingForConfirmation", now)
        case Allow():
            return _allow(invocation, step, now)
        case Rebind():
            rebound = _bound(invocation, step.binding, step.change)
            return replace(rebound, preview=step.preview, verdict=step.verdict or invocation.verdict)
        case Void():
            return _void(invocation, step, now)
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
                held = replace(_put(invocation, step.deadline), ran_result=step.result, verdict=step.review)
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
        case Explain():
            return _explained(invocation, step, now)
        case _:
            assert_never(step)


def _put(invocation: Invocation, deadline: float | None) -> Invocation:
    """A new question to a person, who has not seen it yet."""
    return replace(invocation, deadline=deadline, deferred=False, seen_at=None)


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


def _explained(invocation: Invocation, step: Explain, now: float) -> Invocation:
    by_person = (invocation.reason, invocation.decided_by) == ("Denied", "person")
    if not by_person or invocation.explanation or not step.reason:
        raise IllegalStep(f"{invocation.id} ({invocation.tool}) takes no reason for a denial")
    return replace(invocation, explanation=step.reason, result=step.result, reason_at=now)


def _void(invocation: Invocation, step: Void, now: float) -> Invocation:
    """As if it had never been decided; arguments that a person has edited stay."""
    why = "" if step.change is None else step.change.words
    phases = invocation.phases[:-1]
    voided = (*invocation.voided, Voided(now, invocation.decided_by, why, len(phases)))
    undecided = replace(
        _bound(invocation, step.binding, step.change),
        state="Streaming",
        reason=None,
        decided_by=None,
        explanation="",
        scope=None,
        preview=None,
        seen_at=None,
        voided=voided,
        phases=phases,
    )
    then = replace(step.then, arguments=invocation.edited_arguments) if isinstance(step.then, Allow) else step.then
    return advance(undecided, then, now)


def _bound(invocation: Invocation, binding: Binding | None, change: BindingChange | None) -> Invocation:
    """Without a binding (its tool has gone) it stays what it was shown as."""
    if binding is None:
        return replace(invocation, change=change)
    return replace(
        invocation,
        fingerprint=binding.definition,
        executor=binding.executor,
        executor_lines=binding.shown_lines,
        source=binding.source or invocation.source,
        change=change,
    )


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


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def shown_hash(invocation: Invocation) -> str:
    """Binds a decision to exactly what was shown: the arguments, the tool, what runs it, and the previewed state."""
    shown = (
        invocation.state,
        invocation.effective_arguments,
        invocation.fingerprint,
        invocation.executor,
        invocation.is_gone,
        invocation.previewed,
    )
    return text_hash(json.dumps(shown))
