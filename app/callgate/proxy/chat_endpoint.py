"""The chat routes of every wire: one reading, one engine, one way of answering."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from starlette.requests import Request
from starlette.types import ASGIApp

from callgate.core import lineage
from callgate.core.calls.patience import beat_within
from callgate.core.config.settings import HistoryRule
from callgate.core.errors import BadRequest
from callgate.core.history_repair import repaired
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, GateOptions, WireName
from callgate.engine.bus import Bus
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.exchanges import Exchanges
from callgate.engine.off_loop import off_the_loop
from callgate.engine.offer.offer import TOOLS_HEADER
from callgate.engine.tasks import Tasks
from callgate.proxy.agents import caller_of
from callgate.proxy.answer import Answer
from callgate.proxy.guard import Guard
from callgate.proxy.inbound import asks_for_events, headers_of, query_of, read_json
from callgate.proxy.progress import PROGRESS_HEADER, ProgressLines
from callgate.wire.codec import Codec
from callgate.wire.gate_fields import GATE_FIELDS
from callgate.wire.gemini_generate.array_stream import ArrayStream

CONVERSATION_HEADER = "x-callgate-conversation"
EXECUTION_HEADER = "x-callgate-execution"
ROUNDS_HEADER = "x-callgate-max-rounds"
HISTORY_HEADER = "x-callgate-history"
MOST_ENTRIES = 100_000
MOST_TOOLS = 10_000
"""Of one request. No agent comes near; what does is a mistake or an attack, and no model takes it."""
_YES = frozenset({"1", "true", "yes", "on"})


@dataclass(slots=True)
class ChatEndpoint:
    exchanges: Exchanges
    guard: Guard
    tasks: Tasks
    bus: Bus
    codecs: Mapping[WireName, Codec]
    tool_history: HistoryRule = "strict"
    """What becomes of a history whose calls and results do not match, where a client's header says nothing else."""

    async def serve(
        self,
        request: Request,
        wire: WireName,
        *,
        model: str = "",
        stream: bool | None = None,
        array: ArrayStream | None = None,
    ) -> ASGIApp:
        """The answer to a chat request; raises `BadRequest` before anything has gone upstream."""
        body = await read_json(request)
        headers = headers_of(request)
        agent = caller_of(request)
        codec = self.codecs[wire]
        value = body.value
        if codec.chaining is not None:
            value = await self.exchanges.recall.resolve_references(codec.chaining, value, agent.identity)
        repair = _history_rule(headers, self.tool_history) == "repair"
        read = await off_the_loop(partial(_read, codec, value, model, stream, repair), len(body.raw))
        chat = replace(read.request, gate=_with_headers(read.request, headers))
        arrival = Arrival(
            chat,
            agent.name,
            body.raw,
            self.guard.cleaned(headers, request.query_params.get("key", "")),
            query_of(request),
            read.chain,
            pristine=value is body.value and not any(field in value for field in GATE_FIELDS) and not read.repairs,
            repairs_history=repair,
            repairs=read.repairs,
            agent_proven=agent.proven,
            agent_token=agent.token_id,
            agent_process=agent.process,
        )
        exchange = await self.exchanges.receive(arrival)
        has_comments = chat.stream and array is None and codec.traits.framing == "events"
        wants_progress = has_comments and headers.get(PROGRESS_HEADER, "").strip().lower() in _YES
        progress = ProgressLines(self.bus, exchange.id) if wants_progress else None
        return Answer(exchange, chat, codec, self.tasks, self.bus, beat_within(headers), progress, array)

    async def serve_gemini(self, request: Request) -> ASGIApp:
        """The path says the model and the method: `models/NAME:generateContent`, or `:streamGenerateContent`."""
        model, _, method = request.path_params["call"].rpartition(":")
        if method == "generateContent":
            return await self.serve(request, "gemini", model=model, stream=False)
        array = None if asks_for_events(request) else ArrayStream()
        return await self.serve(request, "gemini", model=model, stream=True, array=array)


@dataclass(frozen=True, slots=True)
class _Reading:
    request: ChatRequest
    chain: tuple[str, ...]
    """By what it is known as one that continues another."""
    repairs: tuple[str, ...] = ()


def _read(codec: Codec, value: dict[str, Json], model: str, stream: bool | None, repair: bool) -> _Reading:
    """Pure."""
    for field, entries in value.items():
        most = MOST_TOOLS if field == "tools" else MOST_ENTRIES
        if isinstance(entries, list) and len(entries) > most:
            raise BadRequest(f"{field} has {len(entries):,} entries; {most:,} are the most.", field)
    try:
        chat, repairs = codec.read_request(value, model=model, stream=stream), ()
    except BadRequest:
        if not repair:
            raise
        chat = codec.read_request(value, model=model, stream=stream, strict=False)
        if chat.previous_id:
            return _Reading(chat, ())  # half of it is kept here: what belongs to what can be told when it is looked up
        mended = repaired(chat.messages)
        if not mended.repairs or all(message.role == "system" for message in mended.messages):
            raise
        chat, repairs = replace(chat, messages=mended.messages), mended.repairs
    return _Reading(chat, tuple(lineage.prefixes(chat.messages)), repairs)


def _history_rule(headers: Mapping[str, str], configured: HistoryRule) -> HistoryRule:
    match headers.get(HISTORY_HEADER, "").strip().lower():
        case "":
            return configured
        case "repair":
            return "repair"
        case "strict":
            return "strict"
        case other:
            raise BadRequest(f"{HISTORY_HEADER} must be strict or repair, not {other!r}.", HISTORY_HEADER)


def _with_headers(chat: ChatRequest, headers: dict[str, str]) -> GateOptions:
    """Headers say the same as the body fields, for clients whose bodies can't be changed; the body wins."""
    gate = chat.gate
    tools = headers.get(TOOLS_HEADER, "").strip()
    if tools and gate.use_tools is None:
        gate = replace(gate, use_tools=tools.lower() != "none")
    if tools.lower() not in ("", "all", "none"):
        gate = replace(gate, tools=tuple(name.strip() for name in tools.split(",") if name.strip()))
    execution = headers.get(EXECUTION_HEADER, "").strip().lower()
    if execution not in ("", "auto", "none"):
        raise BadRequest(f"{EXECUTION_HEADER} must be auto or none, not {execution!r}.", EXECUTION_HEADER)
    if execution and gate.execution is None:
        gate = replace(gate, execution="auto" if execution == "auto" else "none")
    rounds = headers.get(ROUNDS_HEADER, "").strip()
    if rounds and not rounds.isdecimal():
        raise BadRequest(f"{ROUNDS_HEADER} must be a whole number, 0 or more, not {rounds!r}.", ROUNDS_HEADER)
    if rounds and gate.max_rounds is None:
        gate = replace(gate, max_rounds=int(rounds))
    return replace(gate, conversation=headers.get(CONVERSATION_HEADER, "").strip())
