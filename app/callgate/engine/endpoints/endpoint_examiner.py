"""Asks an endpoint for its models, and says in words what came of it. Changes nothing and keeps nothing."""

import time
from dataclasses import replace
from urllib.parse import urlsplit

from callgate.core.errors import CallgateError, PeerFault
from callgate.engine.endpoints.endpoint_service import Examination
from callgate.upstream.client import Tokens, Unreachable, UpstreamClient
from callgate.upstream.endpoint import Endpoint
from callgate.upstream.model_names import ModelsAnswer, model_names
from callgate.wire.registry import TRAITS

EXAMINE_SECONDS = 15.0
"""A person waits for it and can stop it; a long list over a slow line needs more than the menu's few seconds."""
_UNKNOWN_HOST = ("name or service not known", "nodename nor servname", "getaddrinfo", "name resolution")
_GOOGLE_REFUSAL = b"API_KEY_INVALID"
"""Google answers 400 to a wrong key."""


class EndpointExaminer:
    def __init__(self, upstream: UpstreamClient, google: Tokens | None = None) -> None:
        self._upstream = upstream
        self._google = google

    async def examine(self, endpoint: Endpoint, key: str) -> Examination:
        """`key` empty = it has none of its own."""
        began = time.monotonic()
        found = await (self._login(key) if endpoint.vertex is not None else self._models(endpoint, key))
        return replace(found, seconds=time.monotonic() - began, at=time.time())

    async def _models(self, endpoint: Endpoint, key: str) -> Examination:
        try:
            answer = await self._upstream.ask_models(endpoint, key, seconds=EXAMINE_SECONDS)
        except TimeoutError:
            return Examination("silent", f"{_place(endpoint)} gave no answer within {EXAMINE_SECONDS:.0f} seconds.")
        except Unreachable as lost:
            return Examination("unreachable", _unreachable(endpoint, lost.fault.message))
        except PeerFault as broken:
            return Examination("failing", f"{_sentence(broken.fault.message)} Is this an HTTP server at all?")
        except CallgateError as bad:
            return Examination("failing", _sentence(str(bad)))
        found = _read(endpoint, answer, bool(key))
        if found.outcome == "reached" and key and await self._lists_to_anyone(endpoint):
            said = f"{found.words} It lists them to anyone: whether the key is good shows with the first request."
            return replace(found, words=said)
        return found

    async def _lists_to_anyone(self, endpoint: Endpoint) -> bool:
        try:
            answer = await self._upstream.ask_models(endpoint)
        except (CallgateError, TimeoutError):
            return False
        return answer.status == 200 and model_names(answer.body) is not None

    async def _login(self, key: str) -> Examination:
        if key:
            return Examination("unlisted", "Vertex lists no models: whether the key is good shows with a request.")
        if self._google is None:
            return Examination("keyless", "Vertex needs Google credentials.")
        try:
            await self._google.token()
        except CallgateError as missing:
            return Examination("keyless", _sentence(str(missing)))
        said = (
            "Google's login works. Vertex lists no models: whether the project has them shows with the first request."
        )
        return Examination("unlisted", said)


def _read(endpoint: Endpoint, answer: ModelsAnswer, has_key: bool) -> Examination:
    status, said = answer.status, f" It says: {_sentence(answer.said)}" if answer.said else ""
    if status in (401, 403) or (status == 400 and _GOOGLE_REFUSAL in answer.body):
        if not has_key:
            passed_on = "It answers and wants a key, which your program has to send: it is passed on."
            return Examination("unlisted", f"{passed_on} Its models can't be listed without one.")
        return Examination("refused", f"It refused the key (HTTP {status}).{said}")
    if status == 200:
        return _listed(endpoint, answer.body)
    if status in (404, 405) or 300 <= status < 400:
        at = urlsplit(endpoint.models_url()).path
        return Examination("foreign", f"It has no list of models at {at} (HTTP {status}). {_advice(endpoint)}")
    return Examination("failing", f"It answered HTTP {status}.{said}")


def _listed(endpoint: Endpoint, body: bytes) -> Examination:
    names = model_names(body)
    if names is None:
        what = "a web page" if body.lstrip().startswith(b"<") else "something else than a list of models"
        return Examination("foreign", f"It answered with {what}. {_advice(endpoint)}")
    served = sum(endpoint.serves(name) for name in names)
    if not names:
        return Examination("reached", "It answers, but has no models yet.")
    if not served:
        patterns = ", ".join(endpoint.models)
        said = f"It has {_count(len(names))}, but none fits the patterns {patterns}: no request would go there."
        return Examination("reached", said, names)
    fits = "" if served == len(names) else f", {served} of them fit the patterns"
    return Examination("reached", f"It answers and has {_count(len(names))}{fits}.", names, served)


def _count(models: int) -> str:
    return "1 model" if models == 1 else f"{models} models"


def _unreachable(endpoint: Endpoint, message: str) -> str:
    place, told = _place(endpoint), message.casefold()
    if any(words in told for words in _UNKNOWN_HOST):
        return f"There is no machine named {urlsplit(endpoint.models_url()).hostname}. Is the address right?"
    if "certificate" in told or "ssl" in told:
        return f"{place} could not prove who it is: {_sentence(message.rpartition(': ')[2])}"
    if "in time" in told:
        return f"{place} did not take the connection in time. Is the address right, and is there a way to it?"
    return f"Nobody listens at {place}. Is the server running, and is the address right?"


def _place(endpoint: Endpoint) -> str:
    parts = urlsplit(endpoint.models_url())
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _advice(endpoint: Endpoint) -> str:
    if TRAITS[endpoint.wires[0]].base_has_version:
        return "An address for an OpenAI protocol goes up to and with /v1. Or it speaks another protocol."
    return "The address is the root, without /v1. Or it speaks another protocol."


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
