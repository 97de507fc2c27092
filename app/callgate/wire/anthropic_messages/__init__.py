"""The Anthropic Messages wire, both sides.

Blocks instead of parts, tool results inside user messages, calls as objects, strict pairing of the two; streams of
named events with one open block at a time. Knows nothing of HTTP headers or API versions.
"""

from collections.abc import Collection, Mapping, Sequence

from callgate.core.errors import Fault
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse, WireName
from callgate.core.wire_traits import WireTraits
from callgate.wire.anthropic_messages.chaining import ThreadChaining
from callgate.wire.anthropic_messages.errors import read_error, write_error
from callgate.wire.anthropic_messages.failure import write_failure
from callgate.wire.anthropic_messages.read_request import read_request
from callgate.wire.anthropic_messages.request_fields import FIELDS
from callgate.wire.anthropic_messages.response import read_response, write_response
from callgate.wire.anthropic_messages.stream_reader import MessagesReader
from callgate.wire.anthropic_messages.stream_writer import MessagesWriter
from callgate.wire.anthropic_messages.wire_traits import TRAITS
from callgate.wire.anthropic_messages.write_request import write_request
from callgate.wire.codec import BuiltInCalls, Chaining, ListedModel, StreamReader, StreamWriter, Written, WrittenError
from callgate.wire.dialects import Dialect
from callgate.wire.request_fields import RequestFields


class AnthropicMessages:
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
    def chaining(self) -> Chaining:
        return ThreadChaining()

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

    def stream_reader(self, tools: Collection[str] = ()) -> StreamReader:
        del tools  # a name comes whole on this wire
        return MessagesReader()

    def stream_writer(self, request: ChatRequest) -> StreamWriter:
        return MessagesWriter(request.model)

    def read_error(self, status: int, body: bytes, headers: Mapping[str, str]) -> Fault:
        return read_error(status, body, headers)

    def write_error(self, fault: Fault) -> WrittenError:
        return write_error(fault)

    def write_failure(self, fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
        return write_failure(fault, said, request)

    def write_model(self, model: ListedModel) -> dict[str, Json]:
        return {"type": "model", "id": model.id, "display_name": model.id, "created_at": "1970-01-01T00:00:00Z"}

    def write_models(self, models: Sequence[ListedModel]) -> dict[str, Json]:
        return {
            "data": [self.write_model(model) for model in models],
            "has_more": False,
            "first_id": models[0].id if models else None,
            "last_id": models[-1].id if models else None,
        }
