"""The configuration as values: what `callgate.toml` may say, with defaults that work offline.

Field names and meanings are public; unknown keys are refused (the reader adds file and line).
"""

from collections.abc import Mapping
from typing import Annotated, Literal, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from callgate.core.config.command_settings import CommandToolSettings
from callgate.core.request import WireName
from callgate.core.rules.chat_settings import ChatSettings, spread_keys
from callgate.core.web_origin import read_origin

DEFAULT_PORT = 8080
Era = Literal["", "legacy", "modern"]
"""MCP up to 2025-11-25 (with a handshake), and from 2026-07-28 on (without); a server speaks one or both."""
HistoryRule = Literal["strict", "repair"]
MAX_TOOLS = 128
"""Providers refuse more in one request."""


def _frozen(value: object) -> object:
    """TOML's arrays are lists; strict models want the tuples that they declare."""
    return tuple(cast(list[object], value)) if isinstance(value, list) else value


def _web_origin(text: str) -> str:
    origin = read_origin(text)
    if origin is None:
        raise ValueError(f"expected an origin such as 'http://localhost:3000', got {text!r}")
    return origin


WebOrigin = Annotated[str, AfterValidator(_web_origin)]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ServerSettings(Section):
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = DEFAULT_PORT
    """0 = any free one; taken = the next free one, said aloud."""
    token: str = ""
    rate_limit: Annotated[str, Field(pattern=r"^$|^[1-9][0-9]*/(second|minute|hour)$")] = "600/minute"
    tool_history: HistoryRule = "strict"
    """Of a request whose calls and results do not match: refused as its provider would, or put right and said so."""
    allowed_origins: tuple[WebOrigin, ...] = ()
    """Pages that may use Callgate without being asked about, such as `http://localhost:3000`."""
    relay_unjudged: bool = False
    """Also routes where a model calls tools that Callgate never sees: runs of assistants, batches, live sessions."""
    max_connections: Annotated[int, Field(ge=0, le=100_000)] = 0
    """Open at the same time; 0 = as many as the limit of open files leaves beside providers and tools."""
    max_header_kilobytes: Annotated[int, Field(ge=1, le=1024)] = 64
    """All header lines of one request together."""
    header_timeout_seconds: Annotated[float, Field(gt=0)] = 10
    """From the start of a connection, or of a further request on it, to the end of its headers."""
    body_timeout_seconds: Annotated[float, Field(gt=0)] = 30
    """Between two pieces of a request's body."""
    keep_alive_seconds: Annotated[float, Field(gt=0)] = 60
    """How long a connection without a request stays open."""

    @field_validator("allowed_origins", mode="before")
    @classmethod
    def _origins(cls, value: object) -> object:
        return _frozen(value)


class GateSettings(Section):
    client_tools: Literal["ask", "observe"] | None = None
    """None = ask with a window, observe without."""
    deadline_seconds: Annotated[float, Field(gt=0)] = 300
    tool_timeout_seconds: Annotated[float, Field(gt=0)] = 60
    tools_enabled: bool = True
    allow_tools: tuple[str, ...] = ()
    """Globs; if there are any, calls of all other tools are denied. It approves nothing by itself."""
    block_tools: tuple[str, ...] = ()
    """Globs; calls of these tools are denied."""
    group_tools_above: Annotated[int, Field(ge=0, le=MAX_TOOLS)] = MAX_TOOLS
    """More tools than this in one request are put into groups that a call opens; 0 = never, the last are left out."""
    result_tokens: Annotated[int, Field(ge=0)] = 25_000
    """Longer results are cut in the middle for the model, the whole is kept in a file; 0 = never."""

    @field_validator("allow_tools", "block_tools", mode="before")
    @classmethod
    def _globs(cls, value: object) -> object:
        return _frozen(value)


class VertexSettings(Section):
    project: str
    location: str


class UpstreamSettings(Section):
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+$")]
    wire: tuple[WireName, ...]
    base_url: str = ""
    key_env: str = ""
    key: Literal["", "keyring"] = ""
    models: tuple[str, ...] = ("*",)
    dialect: str = ""
    vertex: VertexSettings | None = None
    api_version: str = ""
    """Gemini: v1 or v1beta; empty = the usual one."""
    strict_tool_choice: bool = False
    """A call that server or model can't be made to make is refused; else it is wished for, with a warning."""

    @field_validator("base_url")
    @classmethod
    def _bare(cls, value: str) -> str:
        return value.strip()

    @field_validator("wire", mode="before")
    @classmethod
    def _one_or_many(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else _frozen(value)

    @field_validator("models", mode="before")
    @classmethod
    def _globs(cls, value: object) -> object:
        return _frozen(value)

    @model_validator(mode="after")
    def _reachable(self) -> "UpstreamSettings":
        if not self.base_url and self.vertex is None:
            raise ValueError("base_url is missing (or vertex = { project, location })")
        if not self.wire:
            raise ValueError("wire names no protocol")
        return self


class InputSettings(Section):
    """A value that the person is asked for when the source starts, wherever `${input:id}` stands."""

    id: Annotated[str, Field(min_length=1)]
    description: str = ""
    password: bool = False
    default: str = ""
    options: tuple[str, ...] = ()

    @field_validator("options", mode="before")
    @classmethod
    def _choices(cls, value: object) -> object:
        return _frozen(value)


class OAuthSettings(Section):
    """For a server whose login Callgate can't find out all by itself; mostly nothing of it is needed."""

    client_id: str = ""
    """Empty = Callgate registers itself with the server."""
    client_secret_env: str = ""
    """The environment variable that holds the client's secret, if it has one."""
    scope: str = ""
    callback_port: Annotated[int, Field(ge=0, le=65535)] = 0
    """Where the browser comes back to on this machine; 0 = any free port."""


class SourceSettings(Section):
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+$")]
    kind: Literal["mcp", "command"]
    command: tuple[str, ...] = ()
    url: str = ""
    env: dict[str, str] = Field(default_factory=dict)
    """Beside a few harmless variables this is all that the program sees of the environment."""
    env_file: str = ""
    """A file of `NAME=value` lines; `env` wins over it."""
    cwd: str = ""
    """Empty = the workspace."""
    headers: dict[str, str] = Field(default_factory=dict)
    transport: Literal["", "stdio", "http", "sse"] = ""
    """Empty = stdio for a command; for a url streamable HTTP, and SSE where that is refused."""
    era: Era = ""
    """The MCP era that the server is known to speak; empty = find out."""
    inputs: tuple[InputSettings, ...] = ()
    """What `${input:id}` in the fields above stands for; one that is not here is asked for as a password."""
    oauth: OAuthSettings = OAuthSettings()
    tools: tuple[CommandToolSettings, ...] = ()
    """What a source of kind `command` offers."""
    enabled: bool = True

    @field_validator("command", "tools", "inputs", mode="before")
    @classmethod
    def _argv(cls, value: object) -> object:
        return _frozen(value)

    @model_validator(mode="after")
    def _fits_its_kind(self) -> "SourceSettings":
        if self.kind == "mcp" and self.tools:
            raise ValueError("an MCP server lists its tools itself; [[sources.tools]] goes with kind = 'command'")
        if self.kind != "command":
            return self
        foreign = [key for key in ("command", "url", "env_file", "headers", "transport", "era") if getattr(self, key)]
        if foreign:
            raise ValueError(f"{foreign[0]} goes with kind = 'mcp'; a command source has [[sources.tools]] with argv")
        if not self.tools:
            raise ValueError("a command source needs [[sources.tools]], each with name and argv")
        names = [tool.name for tool in self.tools]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two of its tools are named {twice[0]!r}")
        return self

    @model_validator(mode="after")
    def _reachable(self) -> "SourceSettings":
        if self.kind != "mcp":
            return self
        if bool(self.command) == bool(self.url):
            raise ValueError("an MCP server needs either command or url" + (", not both" if self.url else ""))
        if self.command and not self.command[0].strip():
            raise ValueError("command names no program")
        if self.transport and (self.transport == "stdio") != bool(self.command):
            raise ValueError(f"transport {self.transport!r} does not go with {'command' if self.command else 'url'}")
        if self.url and not self.url.startswith(("http://", "https://", "${")):
            raise ValueError("url must begin with http:// or https://")
        return self


class RuleSettings(Section):
    verdict: Literal["allow", "ask", "deny"]
    tool: str = "*"
    source: str = "*"
    agent: str = "*"
    when: str = ""
    note: str = ""
    expires: str = ""
    """ISO 8601 time; empty = never."""
    uses: Annotated[int, Field(ge=1)] | None = None
    review: bool = False
    """Whether a person must look at the result of what it matches."""
    at_deadline: Literal["deny", "allow"] = "deny"
    """Of a rule that asks: what happens if nobody decides in time."""
    sub_agents: bool = True
    """Of a rule that allows: false = the calls of sub-agents are not covered."""
    matches: tuple[str, ...] = ()
    """Examples that the rule must match, each a JSON object of arguments."""
    spares: tuple[str, ...] = ()
    """Examples that it must not match."""

    @field_validator("matches", "spares", mode="before")
    @classmethod
    def _examples(cls, value: object) -> object:
        return _frozen(value)

    @model_validator(mode="after")
    def _asks(self) -> "RuleSettings":
        if self.at_deadline != "deny" and self.verdict != "ask":
            raise ValueError(f"at_deadline goes with verdict = 'ask'; a rule that says {self.verdict} waits for nobody")
        if not self.sub_agents and self.verdict != "allow":
            raise ValueError("sub_agents = false goes with verdict = 'allow': every other rule covers sub-agents too")
        return self


class BuiltinSettings(Section):
    """The built-in tools."""

    web: bool = False
    """Whether the tool that fetches pages of the web is there at all; rules about addresses apply to it."""


class ToolsSettings(Section):
    """How programs are run that Callgate starts for tools."""

    sandbox: Literal["auto", "off", "required"] = "auto"
    """`auto` = the strongest wall this machine has; `required` = commands do not run without one."""
    sandbox_network: bool = False
    """Whether sandboxed commands reach the network."""
    environment: tuple[str, ...] = ()
    """Names of variables that commands get in addition to PATH, HOME, LANG, TERM and the like, whatever they hold.

    DISPLAY, WAYLAND_DISPLAY, SSH_AUTH_SOCK and DBUS_SESSION_BUS_ADDRESS are given only here: with them a command can
    type into windows, log in elsewhere or unlock the keyring. MCP servers have `env` of their own.
    """

    @field_validator("environment", mode="before")
    @classmethod
    def _names(cls, value: object) -> object:
        return _frozen(value)


class JournalSettings(Section):
    """How long what happened is kept. Pinned and imported conversations stay whole, whatever is said here."""

    keep_days: Annotated[int, Field(ge=0)] = 0
    """Conversations in which nothing happened for longer are deleted; 0 = they stay until the person deletes them."""
    wire_days: Annotated[int, Field(ge=0)] = 30
    """The bytes of requests and answers are by far the most; older ones are deleted. 0 = they stay."""
    wire_megabytes: Annotated[int, Field(ge=0)] = 2000
    """Together they take no more than this; the oldest days go first. 0 = no limit."""
    keep_secrets: bool = False
    """Whether keys found in bodies and arguments are stored as they are; else only their fingerprints are.

    After a restart what is sent again from the journal (turns that a client was not shown, replies that it refers to by
    id) has the fingerprints in place of the keys; while the program runs it has the keys.
    """


def _tokenizer_file(path: str) -> str:
    if not (path.startswith(("/", "~")) or path[1:2] == ":"):
        raise ValueError(f"expected the whole path of a file, beginning with / or ~, got {path!r}")
    if not path.endswith((".json", ".tiktoken")):
        raise ValueError(f"expected a tokenizer.json or a .tiktoken table, got {path!r}")
    return path


TokenizerFile = Annotated[str, AfterValidator(_tokenizer_file)]


class DemoSettings(Section):
    """The embedded demo model."""

    pace_ms: Annotated[int, Field(ge=0, le=2000)] = 28
    """Milliseconds between two deltas, for the eye; 0 = as fast as it goes."""


class Settings(Section):
    server: ServerSettings = ServerSettings()
    gate: GateSettings = GateSettings()
    demo: DemoSettings = DemoSettings()
    journal: JournalSettings = JournalSettings()
    builtin: BuiltinSettings = BuiltinSettings()
    tools: ToolsSettings = ToolsSettings()
    upstreams: tuple[UpstreamSettings, ...] = ()
    sources: tuple[SourceSettings, ...] = ()
    rules: tuple[RuleSettings, ...] = ()
    chat: ChatSettings = ChatSettings()
    tokenizers: dict[str, TokenizerFile] = Field(default_factory=dict)
    """What the cost of tools is counted with, not estimated: for `openai`, `anthropic`, `gemini` or other models."""

    @model_validator(mode="before")
    @classmethod
    def _quoted_keys(cls, value: object) -> object:
        return spread_keys(cast(Mapping[str, object], value)) if isinstance(value, Mapping) else value

    @field_validator("upstreams", "sources", "rules", mode="before")
    @classmethod
    def _tables(cls, value: object) -> object:
        return _frozen(value)

    @model_validator(mode="after")
    def _distinct(self) -> "Settings":
        for what, names in (
            ("upstreams", [u.name for u in self.upstreams]),
            ("sources", [s.name for s in self.sources]),
        ):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"two {what} are named {twice[0]!r}")
        return self
