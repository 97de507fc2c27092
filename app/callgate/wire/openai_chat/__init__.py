"""OpenAI Chat Completions: `/v1/chat/completions`, and the many servers that are compatible with it, more or less."""

from collections.abc import Collection, Mapping, Sequence

from callgate.core.errors import Fault
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse, WireName
from callgate.core.wire_traits import WireTraits
from callgate.wire.codec import BuiltInCalls, Chaining, ListedModel, Written, WrittenError
from callgate.wire.dialects import Dialect
from callgate.wire.openai_chat.errors import read_error, write_error
from callgate.wire.openai_chat.failure import write_failure
from callgate.wire.openai_chat.read_request import read_request
from callgate.wire.openai_chat.request_fields import FIELDS
from callgate.wire.openai_chat.response import read_response, write_response
from callgate.wire.openai_chat.stream_reader import ChatStreamReader
from callgate.wire.openai_chat.stream_writer import ChatStreamWriter
from callgate.wire.openai_chat.wire_traits import TRAITS
from callgate.wire.openai_chat.write_request import write_request
from callgate.wire.openai_models import openai_model, openai_models
from callgate.wire.request_fields import RequestFields


class OpenAIChat:
    """The codec; each method is a file of this folder."""

    @property
    def wire(self) -> WireName:
        return TRAITS.wire

    @property
    def traits(self) -> WireTraits:
        return TRAITS

    @property
    def request_fields(self) -> RequestFields:
        return FIELDS

    @property
    def chaining(self) -> Chaining | None:
        return None

    @property
    def built_in_calls(self) -> BuiltInCalls | None:
        return None

    def read_request(
        self, body: Mapping[str, Json], *, model: str = "", stream: bool | None = None, strict: bool = True
    ) -> ChatRequest:
        return read_request(body, model=model, stream=stream, strict=strict)

    def write_request(self, request: ChatRequest, dialect: Dialect) -> Written:
        return write_request(request, dialect)

    def read_response(self, body: Mapping[str, Json]) -> ChatResponse:
        return read_response(body)

    def write_response(self, response: ChatResponse, request: ChatRequest) -> dict[str, Json]:
        return write_response(response, request)

    def stream_reader(self, tools: Collection[str] = ()) -> ChatStreamReader:
        """`tools` are the names offered; with them even names that come in pieces are put together."""
        return ChatStreamReader(tools)

    def stream_writer(self, request: ChatRequest) -> ChatStreamWriter:
        return ChatStreamWriter(request)

    def read_error(self, status: int, body: bytes, headers: Mapping[str, str]) -> Fault:
        return read_error(status, body, headers)

    def write_error(self, fault: Fault) -> WrittenError:
        return write_error(fault)

    def write_failure(self, fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
        return write_failure(fault, said, request)

    def write_model(self, model: ListedModel) -> dict[str, Json]:
        return openai_model(model)

    def write_models(self, models: Sequence[ListedModel]) -> dict[str, Json]:
        return openai_models(models)
