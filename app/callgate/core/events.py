"""Everything that happens, as values on the bus. Whole values, never deltas of values; the journal stores them all.

Views are folds of these events, so a stored conversation looks exactly like a live one.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from callgate.core.calls.invocation import Invocation
from callgate.core.catalog.left_out import LeftOut
from callgate.core.deltas import Delta
from callgate.core.errors import Fault
from callgate.core.gate_mode import GateMode
from callgate.core.marks import Marks
from callgate.core.messages import FinishReason, Message, Usage
from callgate.core.question import Answer, Ending, OpenQuestion
from callgate.core.request import ChatRequest, ChatResponse, WireName
from callgate.core.rules.policy import Rule
from callgate.core.tool import HostedTool, Tool, ToolSpec

ClientWire = WireName | Literal["mcp"]
"""How a client speaks; `mcp`: a program called one tool itself, and no model has a part in it."""
Outcome = Literal["completed", "failed", "cancelled"]
Leg = Literal["client_request", "upstream_request", "upstream_response", "client_response"]
FrameRole = Literal["request", "response", "error", "notification"]
FrameJoin = Literal["", "id", "stream", "alone"]
"""How it is known which call caused a message: by the id in it, by the HTTP stream that it came on, or, for what a
server says in the middle of a call without naming it, because no other call was running."""
STATUS = ":status"
"""Among the header lines of an answer: its HTTP status, spelled as HTTP/2 does."""
LONGEST_FRAME = 200_000
"""Bytes of a message that are kept. A screenshot in base64 is larger, and nobody reads it to its end."""


@dataclass(frozen=True, slots=True)
class ExchangeStarted:
    """One client request has arrived and been attached to its conversation."""

    exchange_id: str
    conversation_id: str
    agent: str
    wire: ClientWire
    model: str
    stream: bool
    known: int
    """How many of the request's messages the conversation held already."""
    fresh: tuple[Message, ...]
    """The messages that are new."""
    tools: tuple[ToolSpec | HostedTool, ...]
    """What the client itself offered."""
    at: float
    parent_id: str = ""
    """The exchange that this one continues; two with the same parent are branches."""
    agent_proven: bool = False
    """Whether a token proved the agent's name; what earlier versions recorded was always a claim."""
    agent_process: str = ""
    """The program behind the connection, `python3 · pid 4211`; empty = not known."""
    sub_agent: str = ""
    """The sub-agent that makes it, by the id that its agent gives it; empty = the agent itself, as far as is known."""
    parent_agent: str = ""
    """The thread of the agent that started the sub-agent."""
    agent_thread: str = ""
    """The id that the agent gives the thread that makes it, sub-agent or not."""
    kind: Literal["exchange_started"] = "exchange_started"


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A request goes upstream."""

    exchange_id: str
    conversation_id: str
    round: int
    endpoint: str
    wire: WireName
    model: str
    tools: tuple[ToolSpec | HostedTool, ...]
    """What the model is really offered: the client's, plus and minus what Callgate changed."""
    untouched: bool
    """True: the client's bytes go through as they came."""
    at: float
    available: int = 0
    """How many tools there are in all: more than `tools` where some stand behind groups; 0 = not counted."""
    left_out: tuple[LeftOut, ...] = ()
    """What the catalog has and the model is not offered, and why."""
    warnings: tuple[str, ...] = ()
    """What the provider's wire could not be told and may be missed."""
    url: str = ""
    """Where it goes, without anything that could be a secret; empty = not recorded."""
    kind: Literal["round_started"] = "round_started"


@dataclass(frozen=True, slots=True)
class DeltaArrived:
    exchange_id: str
    conversation_id: str
    round: int
    delta: Delta
    at: float
    kind: Literal["delta"] = "delta"


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The provider has answered a round in full."""

    exchange_id: str
    conversation_id: str
    round: int
    message: Message
    finish: FinishReason | None
    usage: Usage | None
    at: float
    first_token_at: float | None = None
    repairs: tuple[str, ...] = ()
    """What broke the wire's rules and was mended on the way to the client."""
    kind: Literal["round_ended"] = "round_ended"


@dataclass(frozen=True, slots=True)
class InvocationChanged:
    invocation: Invocation
    at: float
    initiator: str = "engine"
    """Who caused it: engine, dialog, card, queue, terminal."""
    kind: Literal["invocation"] = "invocation"

    @property
    def ends(self) -> bool:
        """Whether the call is over with this. A denial that gets its reason afterwards was over before."""
        return not self.invocation.is_live and self.invocation.reason_at is None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """Progress or partial output of a running tool."""

    invocation_id: str
    conversation_id: str
    text: str
    at: float
    progress: float | None = None
    total: float | None = None
    kind: Literal["tool_output"] = "tool_output"


@dataclass(frozen=True, slots=True)
class ExchangeEnded:
    exchange_id: str
    conversation_id: str
    outcome: Outcome
    at: float
    answer: Message | None = None
    """What the client got, all rounds joined."""
    hidden: tuple[Message, ...] = ()
    """What really happened between the request and that answer, where it differs: re-inserted into later requests."""
    lineage: str = ""
    """`core.lineage` hash of the request's messages and the answer: later requests extend it."""
    usage: Usage | None = None
    fault: Fault | None = None
    unheard: tuple[str, ...] = ()
    """What the provider said and the client's wire has no word for."""
    kind: Literal["exchange_ended"] = "exchange_ended"


@dataclass(frozen=True, slots=True)
class ReplyKept:
    """A reply that its client may refer to by id instead of sending it back."""

    reply_id: str
    """As the client knows it."""
    exchange_id: str
    conversation_id: str
    request: ChatRequest
    """As the client sent it: with the messages that were new."""
    response: ChatResponse
    at: float
    previous_id: str = ""
    """The reply that the request itself continued."""
    endpoint: str = ""
    """The endpoint that knows the reply under the same id; empty = none does."""
    item_ids: tuple[str, ...] = ()
    """Its items, where the wire names them one by one."""
    withdrawn: bool = False
    """The client has deleted it: it can't be referred to, but replies that continue it still do."""
    agent: str = ""
    """The identity of the agent that it belongs to (`core.agent`); empty = kept by an earlier version."""
    kind: Literal["reply_kept"] = "reply_kept"


@dataclass(frozen=True, slots=True)
class WireCaptured:
    """Bytes as they crossed a wire, secrets masked in `head`."""

    exchange_id: str
    conversation_id: str
    round: int
    leg: Leg
    data: bytes
    at: float
    head: tuple[tuple[str, str], ...] = ()
    """Header lines, on the first piece of a leg; `:status` among them where an answer's was not 200."""
    kind: Literal["wire"] = "wire"


@dataclass(frozen=True, slots=True)
class FrameCaptured:
    """One JSON-RPC message between Callgate and an MCP server, at the moment at which it was sent or had arrived."""

    id: str
    source: str
    direction: Literal["in", "out"]
    """Seen from Callgate."""
    role: FrameRole
    method: str
    """Of an answer, that of the request which it answers; empty = that is not known."""
    rpc_id: str
    """Of a request its own; of anything else that of the request it answers or tells of; empty = of none."""
    size: int
    """Bytes of the whole message."""
    text: str
    """As it was; one of more than `LONGEST_FRAME` bytes is cut there."""
    at: float
    asked_at: float | None = None
    """When the request that it answers or tells of was sent."""
    invocation_id: str = ""
    """The call that caused it; empty = none did, or nothing tells which of several that ran."""
    conversation_id: str = ""
    joined: FrameJoin = ""
    transport: Literal["", "stdio", "http", "sse"] = ""
    kind: Literal["frame"] = "frame"

    @property
    def is_cut(self) -> bool:
        return bool(self.text) and self.size > LONGEST_FRAME

    @property
    def seconds_after(self) -> float | None:
        """Since its request."""
        return None if self.asked_at is None else max(0.0, self.at - self.asked_at)


@dataclass(frozen=True, slots=True)
class ConversationMarked:
    """The person has said something about a conversation; all of it, as it holds from now on."""

    conversation_id: str
    marks: Marks
    at: float
    kind: Literal["marked"] = "marked"


@dataclass(frozen=True, slots=True)
class ToolsChanged:
    tools: tuple[Tool, ...]
    at: float
    kind: Literal["tools"] = "tools"


@dataclass(frozen=True, slots=True)
class SourceChanged:
    """A source is doing otherwise than before, or has come or gone; what is known of it the console's desk tells."""

    source: str
    state: str
    """As `engine.source_desk` names them; `removed` = it has gone."""
    at: float
    reason: str = ""
    kind: Literal["source"] = "source"


@dataclass(frozen=True, slots=True)
class EndpointsChanged:
    """Who answers, or what is known of them, is otherwise than before; the console's desk tells."""

    at: float
    kind: Literal["endpoints"] = "endpoints"


@dataclass(frozen=True, slots=True)
class FileChangesFound:
    """Files were changed outside Callgate, or such changes were accepted or put back; empty = nothing waits."""

    files: tuple[str, ...]
    at: float
    kind: Literal["file_changes_found"] = "file_changes_found"


@dataclass(frozen=True, slots=True)
class RulesChanged:
    rules: tuple[Rule, ...]
    at: float
    kind: Literal["rules"] = "rules"


@dataclass(frozen=True, slots=True)
class AgentsChanged:
    """Tokens of agents were made or revoked."""

    names: tuple[str, ...]
    """The agents that have one now."""
    at: float
    kind: Literal["agents"] = "agents"


@dataclass(frozen=True, slots=True)
class GateChanged:
    """The gate as a whole is stricter or more open now."""

    mode: GateMode
    at: float
    kind: Literal["gate"] = "gate"


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A source wants something of the person."""

    asked: OpenQuestion
    conversation_id: str
    """Empty = it belongs to no call that is known."""
    at: float
    kind: Literal["question_asked"] = "question_asked"


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """A question is over, however it ended."""

    question_id: str
    conversation_id: str
    answer: Answer
    """As it may be written down: secrets are left out."""
    ending: Ending
    at: float
    initiator: str = "engine"
    kind: Literal["question_answered"] = "question_answered"


@dataclass(frozen=True, slots=True)
class ProxyChanged:
    """Where programs reach Callgate now; an empty address = nowhere, and `note` says why."""

    address: str
    at: float
    note: str = ""
    kind: Literal["proxy"] = "proxy"


@dataclass(frozen=True, slots=True)
class JournalChanged:
    """The journal cannot be written any more, or can be again."""

    at: float
    failing_since: float | None = None
    """None = it can be written; else since when not."""
    why: str = ""
    missing: int = 0
    """Decisions that could not be kept; once it works again, how many the audit lacks."""
    kind: Literal["journal"] = "journal"

    @property
    def is_failing(self) -> bool:
        return self.failing_since is not None

    @property
    def words(self) -> str:
        if self.failing_since is not None:
            since = datetime.fromtimestamp(self.failing_since).strftime("%H:%M:%S")
            return (
                f"The journal cannot be written since {since}: {self.why}. "
                "Until it can, calls that change something are not allowed by rules."
            )
        if self.missing:
            what = "1 decision is" if self.missing == 1 else f"{self.missing} decisions are"
            return f"The journal can be written again. {what} missing from the audit, which says so."
        return "The journal can be written again. Every decision made meanwhile is in the audit."


@dataclass(frozen=True, slots=True)
class FaultRaised:
    """Something broke that no exchange owns: shown in the banner and logged."""

    where: str
    message: str
    at: float
    detail: str = ""
    kind: Literal["fault"] = "fault"


Event = Annotated[
    ExchangeStarted
    | RoundStarted
    | DeltaArrived
    | RoundEnded
    | InvocationChanged
    | ToolOutput
    | ExchangeEnded
    | ReplyKept
    | WireCaptured
    | FrameCaptured
    | ConversationMarked
    | ToolsChanged
    | SourceChanged
    | EndpointsChanged
    | FileChangesFound
    | RulesChanged
    | AgentsChanged
    | GateChanged
    | QuestionAsked
    | QuestionAnswered
    | ProxyChanged
    | JournalChanged
    | FaultRaised,
    Field(discriminator="kind"),
]


def conversation_of(event: Event) -> str:
    """The conversation that an event belongs to; empty for those of the whole program."""
    match event:
        case ToolsChanged() | SourceChanged() | RulesChanged() | GateChanged() | ProxyChanged() | FaultRaised():
            return ""
        case EndpointsChanged() | JournalChanged() | AgentsChanged() | FileChangesFound():
            return ""
        case InvocationChanged():
            return event.invocation.conversation_id
        case _:
            return event.conversation_id
