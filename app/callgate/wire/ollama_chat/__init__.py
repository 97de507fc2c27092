"""Ollama's own wire (`/api/chat`), both sides.

Messages like OpenAI Chat's, but arguments are objects, calls mostly have no ids, results name their tool, images are
bare base64, and knobs stand under `options`. A stream is one JSON object per line; the last one is `done`.
"""

from collections.abc import Collection, Mapping, Sequence

from callgate.core.errors import Fault
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse, WireName
from callgate.core.wire_traits import WireTraits
from callgate.wire.codec import BuiltInCalls, Chaining, ListedModel, StreamReader, StreamWriter, Written, WrittenError
from callgate.wire.dialects import Dialect
from callgate.wire.ollama_chat.errors import read_error, write_error
from callgate.wire.ollama_chat.read_request import read_request
from callgate.wire.ollama_chat.request_fields import FIELDS
from callgate.wire.ollama_chat.response import read_response, write_failure, write_response
from callgate.wire.ollama_chat.stream_reader import LinesReader
from callgate.wire.ollama_chat.stream_writer import LinesWriter
from callgate.wire.ollama_chat.wire_traits import TRAITS
from callgate.wire.ollama_chat.write_request import write_request
from callgate.wire.request_fields import RequestFields

_DETAILS: dict[str, Json] = {
    "parent_model": "",
    "format": "",
    "family": "",
    "families": [],
    "parameter_size": "",
    "quantization_level": "",
}
"""Clients read these of every model; of a provider's nothing of the kind is known."""


class OllamaChat:
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
        return LinesReader()

    def stream_writer(self, request: ChatRequest) -> StreamWriter:
        return LinesWriter(request.model)

    def read_error(self, status: int, body: bytes, headers: Mapping[str, str]) -> Fault:
        return read_error(status, body, headers)

    def write_error(self, fault: Fault) -> WrittenError:
        return write_error(fault)

    def write_failure(self, fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
        return write_failure(fault, said, request)

    def write_model(self, model: ListedModel) -> dict[str, Json]:
        """As `/api/show` tells of it."""
        return {
            "modelfile": "",
            "parameters": "",
            "template": "",
            "details": _DETAILS,
            "model_info": {"general.architecture": "", "general.basename": model.id},
            "capabilities": ["completion", "tools"],
            "modified_at": "1970-01-01T00:00:00Z",
        }

    def write_models(self, models: Sequence[ListedModel]) -> dict[str, Json]:
        """As `/api/tags` lists them."""
        return {
            "models": [
                {
                    "name": model.id,
                    "model": model.id,
                    "modified_at": "1970-01-01T00:00:00Z",
                    "size": 0,
                    "digest": "",
                    "details": _DETAILS,
                }
                for model in models
            ]
        }
