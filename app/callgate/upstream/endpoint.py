"""An endpoint: a configured provider, the addresses its wires live at, and where its key comes from.

Pure values. It must not know how bytes travel (`client`), which endpoint is picked (`routing`), or any wire's bodies
beyond what an address demands (Vertex names the model in the path, not in the body).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from urllib.parse import quote, unquote, urlsplit

from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import BadRequest, UserFault
from callgate.core.json.text import dump_bytes, parse_object
from callgate.core.messages import Json
from callgate.core.request import WireName
from callgate.core.wire_traits import VertexTraits, WireTraits
from callgate.upstream.headers import Auth, request_headers
from callgate.wire.dialects import DIALECTS, PLAIN, Dialect, guess_dialect
from callgate.wire.registry import TRAITS

_VERSION_AT_END = re.compile(r"/(v\d+(?:(?:alpha|beta)\d*)?)$")
_VERB = re.compile(r"/v1(?:beta)?/models/(.+):(\w+)")
_ONE_OF = re.compile(r"\[!?\]?[^\]]*\]")
_OPERATION_AT_END = re.compile(r"/(?:chat/completions|responses|messages|api/chat)$")
_VERSION_IN_PATH = re.compile(r"^/v[^/]+")


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
        foreign = [wire for wire in settings.wire if TRAITS[wire].vertex is None]
        if vertex and foreign and not settings.base_url:
            spoken = " and ".join(wire for wire, traits in TRAITS.items() if traits.vertex is not None)
            raise UserFault(f"upstream '{settings.name}': Vertex speaks {spoken}, not {foreign[0]}")
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
        names = {part.partition("=")[0] for part in own} | TRAITS[wire].own_query
        more = [part for part in query.split("&") if part.partition("=")[0] not in names]
        return f"{path}?{'&'.join((*own, *more))}" if own or more else path

    def _url(self, wire: WireName, model: str, stream: bool) -> str:
        return _behind(self._path(wire, model, stream), self._query)

    def _path(self, wire: WireName, model: str, stream: bool) -> str:
        traits = TRAITS[wire]
        if self.vertex and traits.vertex:
            verb = traits.vertex.stream_verb if stream else traits.vertex.verb
            return f"{self._vertex_model(self.vertex, traits.vertex, model)}:{verb}"
        return self._below(traits, traits.path_for(_spelled(model), stream=stream))

    def models_url(self) -> str:
        """Where this endpoint lists its models; empty if nowhere."""
        if self.vertex:
            return ""
        traits = TRAITS[self.wires[0]]
        return _behind(self._below(traits, traits.models_path), self._query)

    def _below(self, traits: WireTraits, path: str) -> str:
        """The address of a wire's path."""
        if traits.base_has_version:
            return self._versioned_base + _VERSION_IN_PATH.sub("", path)
        given = self.api_version or next(iter(_VERSION_AT_END.findall(_trimmed(self.base_url))), "")
        if traits.version_varies and given:
            path = _VERSION_IN_PATH.sub(f"/{given}", path)
        first = "/" + path.split("/")[1]
        return self._root.removesuffix(first) + path

    def relay_url(self, path: str, query: str = "") -> str:
        """Where a path of Callgate's own, such as `/v1/embeddings`, lives at this endpoint."""
        url = self._relay_url(path)
        return url if self.vertex else _behind(url, query)

    def _relay_url(self, path: str) -> str:
        traits = TRAITS[self.relay_wire(path)]
        if self.vertex:
            there = traits.vertex
            if there and path == there.count_path:
                return f"{self._vertex_publisher(self.vertex, there)}/models/{there.count_model}"
            if there and there.relays_verbs and (verb := _VERB.fullmatch(path)):
                return f"{self._vertex_model(self.vertex, there, unquote(verb.group(1)))}:{verb.group(2)}"
            raise BadRequest(f"Unknown path {path}: Vertex has none like it.", code="unknown_url", kind="not_found")
        if traits.base_has_version:
            return _behind(f"{self._versioned_base}/{path.lstrip('/').removeprefix('v1/')}", self._query)
        return _behind(f"{self._root}/{path.lstrip('/')}", self._query)

    def relay_wire(self, path: str) -> WireName:
        """The wire whose kind of key a relayed path needs."""
        owners: list[WireName] = [
            wire for wire in self.wires if (own := TRAITS[wire].own_paths) and re.fullmatch(own, path)
        ]
        return owners[0] if owners else self.wires[0]

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
        return "google-token" if self.vertex else TRAITS[wire].key_form

    def body(
        self, wire: WireName, body: bytes, client_headers: Mapping[str, str], *, model_in_path: bool = True
    ) -> bytes:
        """The body as this endpoint wants it: only Vertex has wishes of its own."""
        there = TRAITS[wire].vertex
        if not self.vertex or there is None or (there.unwraps and there.unwraps.encode() not in body):
            return body
        fields = parse_object(body)
        if fields is None:
            return body
        if there.unwraps:
            return _unwrapped(fields, there.unwraps, body)
        if model_in_path:
            fields.pop("model", None)
        if there.body_versions and (version := TRAITS[wire].version_header):
            older, direct = there.body_versions
            asked = {name.lower(): value for name, value in client_headers.items()}.get(version[0], "")
            fields.setdefault(version[0].replace("-", "_"), direct if asked >= direct else older)
        return dump_bytes(fields)

    @property
    def _query(self) -> str:
        """What every address of it ends with (Azure: `api-version=…`)."""
        return urlsplit(self.base_url).query

    @property
    def _versioned_base(self) -> str:
        base = _trimmed(self.base_url)
        return f"{base}/v1" if not urlsplit(base).path else base

    @property
    def _root(self) -> str:
        if self.vertex and not self.base_url:
            return self.vertex.host
        return _VERSION_AT_END.sub("", _trimmed(self.base_url))

    def _vertex_place(self, vertex: Vertex, there: VertexTraits) -> str:
        version = (there.version_varies and self.api_version) or there.version
        return f"{self._root}/{version}/{vertex.path}"

    def _vertex_publisher(self, vertex: Vertex, there: VertexTraits) -> str:
        return f"{self._vertex_place(vertex, there)}/publishers/{there.publisher}"

    def _vertex_model(self, vertex: Vertex, there: VertexTraits, model: str) -> str:
        if there.numbered_models and model.isdigit():
            return f"{self._vertex_place(vertex, there)}/endpoints/{model}"
        return f"{self._vertex_publisher(vertex, there)}/models/{_spelled(model.removeprefix('models/'))}"


def _rank(glob: str, model: str) -> ModelRank:
    bare, classes = _ONE_OF.subn("", glob)
    singles = classes + bare.count("?")
    return glob == model, len(bare) - bare.count("?") - bare.count("*"), singles


def _unwrapped(fields: dict[str, Json], name: str, body: bytes) -> bytes:
    """What is to be counted on Vertex stands in the body itself."""
    wrapped = fields.get(name)
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
