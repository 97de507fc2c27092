"""The Gemini wire (`generateContent` and `streamGenerateContent`), both sides.

Contents of parts instead of messages, arguments and results as objects, calls whose ids may be missing, signatures on
the very part they prove; streams of whole responses without an end mark. The model and whether to stream are said in
the path. Knows nothing of HTTP, of API versions or of Vertex.
"""

from collections.abc import Collection, Mapping, Sequence

from callgate.core.errors import Fault
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse, WireName
from callgate.core.wire_traits import WireTraits
from callgate.wire.codec import BuiltInCalls, Chaining, ListedModel, StreamReader, StreamWriter, Written, WrittenError
from callgate.wire.dialects import Dialect
from callgate.wire.gemini_generate.errors import read_error, write_error
from callgate.wire.gemini_generate.failure import write_failure
from callgate.wire.gemini_generate.read_request import read_request
from callgate.wire.gemini_generate.request_fields import FIELDS
from callgate.wire.gemini_generate.response import read_response, write_response
from callgate.wire.gemini_generate.stream_reader import GenerateReader
from callgate.wire.gemini_generate.stream_writer import GenerateWriter
from callgate.wire.gemini_generate.wire_traits import TRAITS
from callgate.wire.gemini_generate.write_request import write_request
from callgate.wire.request_fields import RequestFields


class GeminiGenerate:
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

    def stream_reader(self, tools: Collection[str] = ()) -> StreamReader:
        del tools  # a name comes whole on this wire
        return GenerateReader()

    def stream_writer(self, request: ChatRequest) -> StreamWriter:
        return GenerateWriter(request.model)

    def read_error(self, status: int, body: bytes, headers: Mapping[str, str]) -> Fault:
        return read_error(status, body, headers)

    def write_error(self, fault: Fault) -> WrittenError:
        return write_error(fault)

    def write_failure(self, fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
        return write_failure(fault, said, request)

    def write_model(self, model: ListedModel) -> dict[str, Json]:
        return {
            "name": f"models/{model.id}",
            "displayName": model.id,
            "supportedGenerationMethods": ["generateContent", "streamGenerateContent", "countTokens"],
        }

    def write_models(self, models: Sequence[ListedModel]) -> dict[str, Json]:
        return {"models": [self.write_model(model) for model in models]}
