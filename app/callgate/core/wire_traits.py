"""What differs between wires and is no matter of encoding: addresses, headers, ids, framing. Plain values.

Each codec has one (`Codec.traits`), so that nobody outside `wire` has to ask which wire it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from callgate.core.request import WireName

KeyForm = Literal["bearer", "x-api-key", "x-goog-api-key"]
"""The header that a provider expects its key in."""
Framing = Literal["events", "lines"]
"""How a stream is cut into pieces: server-sent events, or one JSON object per line."""

_TUNED = "tunedModels/"
_MODELS = "models/"


@dataclass(frozen=True, slots=True, kw_only=True)
class VertexTraits:
    """How Google's Vertex serves the models of a wire."""

    publisher: str
    version: str
    version_varies: bool = False
    """True: an endpoint's `api_version` takes its place."""
    verb: str
    stream_verb: str
    numbered_models: bool = False
    """True: a model that is only a number is an endpoint of the project's own."""
    count_path: str = ""
    """The path that counts tokens at the provider itself."""
    count_model: str = ""
    """The model and verb that count them on Vertex."""
    relays_verbs: bool = False
    """True: `/models/NAME:verb` exists with any verb."""
    body_versions: tuple[str, str] | None = None
    """The version is said in the body: the older one, and the one from which on Vertex uses the provider's own."""
    unwraps: str = ""
    """A field of the body that Vertex wants unwrapped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientMarks:
    """By what a client of this wire is recognised where several wires share a path."""

    path: str = ""
    """How the paths begin that only its clients ask for."""
    headers: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    posts: bool = False
    """True: only its clients post there."""

    def own(self, path: str) -> bool:
        return bool(self.path) and path.startswith(self.path)

    def match(self, method: str, headers: Mapping[str, str], query: Mapping[str, str]) -> bool:
        """On a path that is not its own."""
        return (
            (self.posts and method == "POST")
            or any(name in headers for name in self.headers)
            or any(name in query for name in self.query)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WireTraits:
    wire: WireName
    title: str
    """As a person knows the protocol."""
    provider: str
    """OpenTelemetry's name (`gen_ai.provider.name`) of whose protocol it is; wires of one provider share headers."""

    path: str
    """Where chat requests go, below the root. May hold `{resource}`, which stands for the model."""
    stream_path: str = ""
    """The same for a streamed answer, where it differs."""
    array_path: str = ""
    """The same for an answer streamed as an array."""
    model_in_path: bool = False
    """True: the path says the model and whether to stream, not the body."""
    models_path: str
    """Where a provider lists its models."""
    base_has_version: bool = False
    """True: a configured base URL goes up to and with the version; False: it is the root."""
    version_varies: bool = False
    """True: an endpoint may use another version than the one in `path`."""
    own_paths: str = ""
    """A pattern of other paths that belong to this wire at an endpoint with several."""
    own_query: frozenset[str] = frozenset()
    """Parameters of a client's query that are never passed on: Callgate reads the answer in one form."""
    vertex: VertexTraits | None = None

    key_form: KeyForm = "bearer"
    version_header: tuple[str, str] | None = None
    """What a translated request speaks; a client's own version is never changed."""
    marks: ClientMarks = ClientMarks()

    framing: Framing = "events"
    stream_type: str = "text/event-stream; charset=utf-8"
    """The content type of a stream."""
    arrays: bool = False
    """True: a stream may come as one JSON array."""
    begins_early: bool = True
    """False: a stream needs no beginning before it can be kept alive."""
    usage_asked: bool = False
    """True: a stream tells its usage only to clients that ask for it."""
    pauses: bool = False
    """True: clients know that a turn may be paused, and go on with it themselves."""

    reply_id: str
    """How the ids of replies begin."""
    makes_call_ids: bool = False
    """True: calls may have no ids; those made in their place depend on the turn and must stay the same."""
    warnings_field: str = "callgate_warnings"

    parallel_switch: bool = True
    """False: nobody can be told to make one call at a time."""
    strict_tools: bool = True
    """False: a tool's schema cannot be declared binding."""
    tool_name_characters: str = "a-zA-Z0-9_-"
    """Of a character class."""
    longest_tool_name: int = 64
    tool_names_begin_with_letter: bool = False
    several_choices: bool = True
    """False: an answer has one choice."""
    logprobs: bool = True
    """False: it cannot be told how likely tokens were."""
    citations: bool = True
    """False: it cannot be told what words rest on."""
    closes_text: bool = False
    """True: in a stream nothing can be said of a text once something else has begun."""
    shown_parts: tuple[str, ...] = ()
    """Kinds of parts beside words and calls that an answer can hold."""

    def path_for(self, model: str, *, stream: bool, array: bool = False) -> str:
        path = (array and self.array_path) or (stream and self.stream_path) or self.path
        resource = model if model.startswith(_TUNED) else _MODELS + model.removeprefix(_MODELS)
        return path.replace("{resource}", resource)
