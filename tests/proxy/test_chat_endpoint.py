"""Reading a chat request: at once where it is short, beside the loop where its history is long."""

import asyncio
import threading
from collections.abc import Mapping
from typing import Any, cast

import orjson
import pytest
from starlette.requests import Request

from callgate.core.config.settings import ServerSettings
from callgate.core.messages import Json
from callgate.core.request import ChatRequest
from callgate.engine.bus import Bus
from callgate.engine.exchange.exchanges import Exchanges
from callgate.engine.exchange.upstream_request import LARGE_BYTES
from callgate.engine.tasks import Tasks
from callgate.proxy.chat_endpoint import ChatEndpoint
from callgate.proxy.guard import Guard
from callgate.wire.codec import Codec
from callgate.wire.openai_chat import OpenAIChat


class Received(Exception):
    """Enough was seen: the request has been read."""


class NoExchanges:
    async def receive(self, arrival: Any) -> Any:
        raise Received(arrival.request.messages[0].text)


class WatchedCodec(OpenAIChat):
    read_by: threading.Thread | None = None

    def read_request(self, body: Mapping[str, Json], *, model: str = "", stream: bool | None = None) -> ChatRequest:
        self.read_by = threading.current_thread()
        return super().read_request(body, model=model, stream=stream)


def request_of(text: str) -> Request:
    body = orjson.dumps({"model": "m", "messages": [{"role": "user", "content": text}]})

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
    return Request(scope, receive)


@pytest.mark.parametrize("size", [10, LARGE_BYTES])
def test_a_long_history_is_read_beside_the_loop_and_a_short_one_at_once(size: int) -> None:
    codec, bus = WatchedCodec(), Bus()
    endpoint = ChatEndpoint(
        cast(Exchanges, NoExchanges()), Guard(ServerSettings()), Tasks(bus), bus, {"openai-chat": cast(Codec, codec)}
    )
    with pytest.raises(Received, match=r"^x+$"):
        asyncio.run(endpoint.serve(request_of("x" * size), "openai-chat"))
    assert (codec.read_by is threading.main_thread()) == (size < LARGE_BYTES)
