"""How a request is spelled for the provider that answers it, and how its reply is read back for this client.

Same wire and nothing changed: the client's own bytes. Otherwise the request is lowered to what the provider's wire can
say, and the reply's deltas are raised again.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from callgate.core.deltas import Delta
from callgate.core.ids import new_id
from callgate.core.json.splice import with_text
from callgate.core.json.text import dump_bytes
from callgate.core.messages import Message
from callgate.core.request import ChatRequest, WireName
from callgate.core.secrets.masking import MASK, mask_head
from callgate.core.tool import ToolSpec
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.off_loop import LARGE_BYTES
from callgate.upstream.routing import Route
from callgate.wire.codec import Codec
from callgate.wire.registry import TRAITS
from callgate.wire.signature_envelope import seal_delta
from callgate.wire.signature_memory import SignatureCache
from callgate.wire.translate import ReplyTranslator, translate

MOST_AGENTS = 32
"""Whose proofs are kept: names come from outside, and far fewer work at the same time."""


@dataclass(frozen=True, slots=True)
class UpstreamRequest:
    body: bytes
    untouched: bool
    """True: these are the client's own bytes, but for a model's name at most."""
    warnings: tuple[str, ...] = ()
    restorer: ReplyTranslator | None = None
    """Undoes in the reply what was lowered in the request; None = nothing was."""
    restores: bool = False
    """True: the restorer makes something else of a reply, so that its bytes are not the client's."""
    tools: tuple[str, ...] = ()
    """The tools by the names that the provider was told, which lowering may have changed."""


class UpstreamRequestBuilder:
    def __init__(self, codecs: Mapping[WireName, Codec]) -> None:
        self._codecs = codecs
        self._signatures: dict[str, SignatureCache] = {}
        """By agent: turns without calls are known by their words alone, and two agents may say the same."""

    def untouched(self, arrival: Arrival, route: Route) -> UpstreamRequest:
        body = arrival.body
        if route.model != arrival.request.model and not TRAITS[route.wire].model_in_path:
            body = with_text(body, "model", route.model)
        return UpstreamRequest(body, untouched=True, tools=_names(arrival.request))

    async def spell(self, request: ChatRequest, route: Route, arrival: Arrival) -> UpstreamRequest:
        """A request that grew out of an arrival; a long one is written while the window and other exchanges go on."""
        request = replace(request, model=route.model)
        if request.wire != route.wire:
            proofs = self._proofs(arrival.identity)
            request = replace(request, messages=tuple(proofs.recall_all(request.messages)))
        if len(arrival.body) < LARGE_BYTES:
            return self._written(request, route)
        return await asyncio.to_thread(self._written, request, route)

    def _written(self, request: ChatRequest, route: Route) -> UpstreamRequest:
        """Pure: may be called on any thread."""
        lowered = translate(request, route.wire, route.model, route.endpoint.dialect)
        written = self._codecs[route.wire].write_request(lowered.request, route.endpoint.dialect)
        warnings = (*lowered.warnings, *written.warnings)
        names = _names(lowered.request)
        return UpstreamRequest(
            dump_bytes(written.body), False, warnings, lowered.restorer(), lowered.changes.any, names
        )

    def remember(self, message: Message, agent: str) -> None:
        """Keeps a provider's proofs for clients whose wire has no room for them."""
        self._proofs(agent).remember(message)

    def _proofs(self, agent: str) -> SignatureCache:
        """Those of an agent, which now is the one that was heard of last."""
        proofs = self._signatures.pop(agent, None)
        self._signatures[agent] = SignatureCache() if proofs is None else proofs
        if len(self._signatures) > MOST_AGENTS:
            del self._signatures[next(iter(self._signatures))]
        return self._signatures[agent]


def _names(request: ChatRequest) -> tuple[str, ...]:
    return tuple(tool.name for tool in request.tools if isinstance(tool, ToolSpec))


def upstream_head(arrival: Arrival, route: Route, keyed: bool) -> tuple[tuple[str, str], ...]:
    """What goes above a request to the provider, for people to see: no key is in it, neither ours nor the client's."""
    sent = route.endpoint.headers(route.wire, MASK if keyed else "", arrival.headers, arrival.request.wire)
    return mask_head(tuple(sent.items()))


def reply_id(client_wire: WireName, provider_wire: WireName) -> str:
    """An id in the client's own fashion where the provider's is of another; empty = the provider's will do."""
    return "" if client_wire == provider_wire else own_reply_id(client_wire)


def own_reply_id(client_wire: WireName) -> str:
    prefix = TRAITS[client_wire].reply_id
    return prefix + new_id("").removeprefix("_")


def dresser(client_wire: WireName, provider_wire: WireName, model: str) -> Callable[[Delta], Delta] | None:
    """Seals a provider's proofs, so that a client of another wire can carry them back."""
    if client_wire == provider_wire:
        return None
    return lambda delta: seal_delta(delta, client_wire, model)
