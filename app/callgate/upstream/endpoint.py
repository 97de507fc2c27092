"""An endpoint: a configured provider, the addresses its wires live at, and where its key comes from.

Pure values. It must not know how bytes travel (`client`), which endpoint is picked (`routing`), or any wire's bodies
beyond what an address demands (Vertex names the model in the path, not in the body).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from urllib.parse import quote, unquote, urlsplit

from callgate.core.errors import BadRequest, UserFault
from callgate.core.messages import Json
from callgate.core.request import WireName
from callgate.core.settings import UpstreamSettings
from callgate.upstream.headers import Auth, request_headers
from callgate.wire.dialects import DIALECTS, PLAIN, Dialect, guess_dialect
from callgate.wire.json_text import dump_bytes, parse_object

GEMINI_VERSION = "v1beta"
"""`v1` lacks parts of tool calling; everything in it is in `v1beta` too."""
VERTEX_GEMINI_VERSION = "v1beta1"
VERTEX_ANTHROPIC_VERSION = "vertex-2023-10-16"
NEW_ANTHROPIC_VERSION = "2026-10-21"
"""From this version on Vertex takes the direct API's own version instead of a `vertex-` one."""

COUNT_PATH = "/v1/messages/count_tokens"

_VERSION_AT_END = re.compile(r"/(v\d+(?:(?:alpha|beta)\d*)?)$")
_ANSWER_FORM = frozenset({"alt", "$alt", "%24alt"})
"""How Google is asked to spell its answers: as Callgate reads them, whatever its client wants (enums as numbers)."""
_VERB = re.compile(r"/v1(?:beta)?/models/(.+):(\w+)")
_ONE_OF = re.compile(r"\[!?\]?[^\]]*\]")
_WRAPPED = "generateContentRequest"
_OPERATION_AT_END = re.compile(r"/(?:chat/completions|responses|messages)$")


ModelRank = tuple[bool, int, int]
"""Whether the entry is the model's exact name, its literal characters, and those that stand for one (`?`, `[…]`)."""


@dataclass(frozen=True, slots=True)
class Vertex:
    """A place in Google Cloud that serves models of several makers."""

    project: str
    location: str

    @property
    def host(self) -> str:
        match self.location:
            case "global":
                return "https://aiplatform.googleapis.com"
            case "us" | "eu":
                return f"https://aiplatform.{self.location}.rep.googleapis.com"
            case _:
                return f"https://{self.location}-aiplatform.googleapis.com"

    @property
    def path(self) -> str:
        return f"projects/{quote(self.project, safe=':')}/locations/{quote(self.location, safe='')}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    name: str
    wires: tuple[WireName, ...]
    base_url: str
    """OpenAI wires: up to and with /v1; Anthropic and Gemini: the root. Forgiving: a version is never doubled."""
    models: tuple[str, ...] = ("*",)
    """Globs."""
    dialect: Dialect = PLAIN
    vertex: Vertex | None = None
    api_version: str = ""

    @classmethod
    def from_settings(cls, settings: UpstreamSettings) -> "Endpoint":
        if settings.dialect and settings.dialect not in DIALECTS:
            known = ", ".join(sorted(DIALECTS))
            raise UserFault(f"upstream '{settings.name}': dialect '{settings.dialect}' is unknown; known are: {known}")
        if settings.base_url and urlsplit(settings.base_url).scheme not in ("http", "https"):
            raise UserFault(f"upstream '{settings.name}': base_url must start with http:// or https://")
        vertex = settings.vertex and Vertex(settings.vertex.project, settings.vertex.location)
        foreign = [wire for wire in settings.wire if wire not in ("anthropic", "gemini")]
        if vertex and foreign and not settings.base_url:
            raise UserFault(f"upstream '{settings.name}': Vertex speaks anthropic and gemini, not {foreign[0]}")
        dialect = DIALECTS[settings.dialect] if settings.dialect else guess_dialect(settings.base_url)
        return cls(
            settings.name,
            settings.wire,
            settings.base_url,
            settings.models,
            replace(dialect, strict_tool_choice=settings.strict_tool_choice),
            vertex,
            settings.api_version,
        )

    def serves(self, model: str) -> bool:
        return self.rank_for(model) is not None

    def rank_for(self, model: str) -> ModelRank | None:
        """How specific its best entry for a model is, comparable between endpoints; None = it does not serve it."""
        ranks = (_rank(glob, model) for glob in self.models if glob == model or fnmatchcase(model, glob))
        return max(ranks, default=None)

    def url(self, wire: WireName, model: str, stream: bool, query: str = "") -> str:
        """Where a chat request of this wire goes. `query`: what the client sent; Vertex knows none of it."""
        plain = self._url(wire, model, stream)
        if not query or self.vertex:
            return plain
        path, _, said = plain.partition("?")
        own = [part for part in said.split("&") if part]
        names = {part.partition("=")[0] for part in own} | (_ANSWER_FORM if wire == "gemini" else frozenset())
        more = [part for part in query.split("&") if part.partition("=")[0] not in names]
        return f"{path}?{'&'.join((*own, *more))}" if own or more else path

    def _url(self, wire: WireName, model: str, stream: bool) -> str:
        return _behind(self._path(wire, model, stream), self._query)

    def _path(self, wire: WireName, model: str, stream: bool) -> str:
        match wire:
            case "openai-chat":
                return f"{self._openai_base}/chat/completions"
            case "openai-responses":
                return f"{self._openai_base}/responses"
            case "anthropic" if self.vertex:
                verb = "streamRawPredict" if stream else "rawPredict"
                return f"{self._root}/v1/{self.vertex.path}/publishers/anthropic/models/{_spelled(model)}:{verb}"
            case "anthropic":
                return f"{self._root}/v1/messages"
            case "gemini":
                verb = "streamGenerateContent?alt=sse" if stream else "generateContent"
                return f"{self._gemini_models(model)}:{verb}"

    def models_url(self) -> str:
        """Where this endpoint lists its models; empty if nowhere."""
        if self.vertex:
            return ""
        match self.wires[0]:
            case "openai-chat" | "openai-responses":
                url = f"{self._openai_base}/models"
            case "anthropic":
                url = f"{self._root}/v1/models?limit=1000"
            case "gemini":
                url = f"{self._root}/{self._gemini_version}/models?pageSize=1000"
        return _behind(url, self._query)

    def relay_url(self, path: str, query: str = "") -> str:
        """Where a path of Callgate's own, such as `/v1/embeddings`, lives at this endpoint."""
        url = self._relay_url(path)
        return url if self.vertex else _behind(url, query)

    def _relay_url(self, path: str) -> str:
        if self.vertex and self.relay_wire(path) == "anthropic" and path == COUNT_PATH:
            return f"{self._root}/v1/{self.vertex.path}/publishers/anthropic/models/count-tokens:rawPredict"
        if self.vertex and self.relay_wire(path) == "gemini" and (verb := _VERB.fullmatch(path)):
            return f"{self._gemini_models(unquote(verb.group(1)))}:{verb.group(2)}"
        if self.vertex:
            raise BadRequest(f"Unknown path {path}: Vertex has none like it.", code="unknown_url", kind="not_found")
        if self.relay_wire(path).startswith("openai"):
            return _behind(f"{self._openai_base}/{path.lstrip('/').removeprefix('v1/')}", self._query)
        return _behind(f"{self._root}/{path.lstrip('/')}", self._query)

    def relay_wire(self, path: str) -> WireName:
        """The wire whose kind of key a relayed path needs."""
        if "anthropic" in self.wires and path.startswith("/v1/messages"):
            return "anthropic"
        if "gemini" in self.wires and (path.startswith("/v1beta") or ":" in path):
            return "gemini"
        return self.wires[0]

    def headers(
        self,
        wire: WireName,
        key: str,
        client_headers: Mapping[str, str],
        client_wire: WireName | None = None,
    ) -> dict[str, str]:
        """What goes above a request. `client_wire` None = the client speaks `wire` itself."""
        return request_headers(self.name, wire, self.auth(wire), key, client_headers, client_wire or wire)

    def auth(self, wire: WireName) -> Auth:
        """The kind of key it takes."""
        return "google-token" if self.vertex else wire

    def body(
        self, wire: WireName, body: bytes, client_headers: Mapping[str, str], *, model_in_path: bool = True
    ) -> bytes:
        """The body as this endpoint wants it: only Vertex has wishes of its own."""
        if not self.vertex or (wire == "gemini" and _WRAPPED.encode() not in body):
            return body
        fields = parse_object(body)
        if fields is None:
            return body
        if wire == "gemini":
            return _unwrapped(fields, body)
        if model_in_path:
            fields.pop("model", None)
        asked = {name.lower(): value for name, value in client_headers.items()}.get("anthropic-version", "")
        version = NEW_ANTHROPIC_VERSION if asked >= NEW_ANTHROPIC_VERSION else VERTEX_ANTHROPIC_VERSION
        fields.setdefault("anthropic_version", version)
        return dump_bytes(fields)

    @property
    def _query(self) -> str:
        """What every address of it ends with (Azure: `api-version=…`)."""
        return urlsplit(self.base_url).query

    @property
    def _openai_base(self) -> str:
        base = _trimmed(self.base_url)
        return f"{base}/v1" if not urlsplit(base).path else base

    @property
    def _root(self) -> str:
        if self.vertex and not self.base_url:
            return self.vertex.host
        return _VERSION_AT_END.sub("", _trimmed(self.base_url))

    @property
    def _gemini_version(self) -> str:
        given = _VERSION_AT_END.search(_trimmed(self.base_url))
        return self.api_version or (given.group(1) if given else GEMINI_VERSION)

    def _gemini_models(self, model: str) -> str:
        if self.vertex:
            place = f"{self._root}/{self.api_version or VERTEX_GEMINI_VERSION}/{self.vertex.path}"
            if model.isdigit():
                return f"{place}/endpoints/{model}"
            return f"{place}/publishers/google/models/{_spelled(model.removeprefix('models/'))}"
        resource = model if model.startswith("tunedModels/") else f"models/{model.removeprefix('models/')}"
        return f"{self._root}/{self._gemini_version}/{_spelled(resource)}"


def _rank(glob: str, model: str) -> ModelRank:
    bare, classes = _ONE_OF.subn("", glob)
    singles = classes + bare.count("?")
    return glob == model, len(bare) - bare.count("?") - bare.count("*"), singles


def _unwrapped(fields: dict[str, Json], body: bytes) -> bytes:
    """What is to be counted on Vertex stands in the body itself."""
    wrapped = fields.get(_WRAPPED)
    if not isinstance(wrapped, dict):
        return body
    return dump_bytes({name: value for name, value in wrapped.items() if name != "model"})


KeyFor = Callable[[Endpoint], str]
"""The configured key of an endpoint; empty = none is configured. Raises `UserFault` where it is missing."""


def _trimmed(base_url: str) -> str:
    path = re.split(r"[?#]", base_url, maxsplit=1)[0]
    return _OPERATION_AT_END.sub("", path.rstrip("/")).rstrip("/")


def _behind(url: str, query: str) -> str:
    if not query:
        return url
    return f"{url}{'&' if '?' in url else '?'}{query}"


def _spelled(model: str) -> str:
    """A model's name in a path: `@` and `/` belong to names, whatever else is special does not."""
    return quote(model, safe="@/")
