"""Everything the person can see and do about sources: the list, their lives, their words, and new ones.

Part of the console; `SourceChanged` and `ToolsChanged` say when to look again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, Protocol

from callgate.core.config.doctor import Diagnosis, DoctorStep
from callgate.core.config.settings import SourceSettings
from callgate.engine.offer.toolset_service import ToolsetService

SourceKind = Literal["mcp", "command", "builtin", "registered"]
SourceOrigin = Literal["config", "added", "builtin", "http"]
SourceState = Literal["off", "stopped", "starting", "ready", "failed", "restarting"]
Transport = Literal["", "stdio", "http", "sse"]
NO_VALUES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source as it is now."""

    name: str
    kind: SourceKind
    origin: SourceOrigin
    state: SourceState
    reason: str = ""
    """Why it is not ready, in words."""
    retry_at: float | None = None
    """Epoch seconds of the next try; None = none is planned."""
    enabled: bool = True
    """Whether it starts with Callgate."""
    where: str = ""
    """Its command line or address, secrets left out."""
    transport: Transport = ""
    era: str = ""
    protocol: str = ""
    server: str = ""
    version: str = ""
    pid: int | None = None
    tools: int = 0
    problems: tuple[str, ...] = ()
    """What is wrong with tools that it lists."""
    last_error: str = ""
    """The last failure of this run, also after it was mended."""
    last_error_at: float = 0.0

    @property
    def runs(self) -> bool:
        """Whether it has a life of its own: something to start, stop and listen to."""
        return self.kind == "mcp"

    @property
    def removable(self) -> bool:
        return self.origin == "added"


@dataclass(frozen=True, slots=True)
class LogLine:
    """What a server wrote beside the protocol."""

    number: int
    """Counts up for ever: a gap means that older ones were dropped."""
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class WireFrame:
    """One message between Callgate and a server, as it was; a very long one is cut."""

    number: int
    at: float
    direction: Literal["in", "out"]
    """Seen from Callgate."""
    text: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A source that could be added."""

    settings: SourceSettings
    notes: tuple[str, ...] = ()
    """What the person should know of it."""
    problem: str = ""
    """Why it can't be added as it is, such as a name that is taken; empty = it can."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a pasted text was taken for."""

    words: str
    drafts: tuple[Draft, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be read."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """Another program's file with servers in it."""

    program: str
    path: str
    drafts: tuple[Draft, ...] = ()
    problems: tuple[str, ...] = ()


class Hearing(Protocol):
    """Proof of listening; `close()` ends it."""

    def close(self) -> None: ...


News = Callable[[str], None]
"""Called with a source's name whenever it has said something; be quick."""


class SourceService(Protocol):
    @property
    def toolsets(self) -> ToolsetService: ...

    def sources(self) -> tuple[SourceView, ...]:
        """All of them, in the order of the catalog."""
        ...

    def source(self, name: str) -> SourceView | None: ...

    # ---- what they say ----------------------------------------------------------------------------------------------

    def log(self, name: str, after: int = -1) -> tuple[LogLine, ...]:
        """The last lines, those with a greater number only."""
        ...

    def frames(self, name: str, after: int = -1) -> tuple[WireFrame, ...]: ...

    def clear(self, name: str) -> None:
        """Forgets log and frames so far."""
        ...

    def on_news(self, listener: News) -> Hearing:
        """For new log lines and frames."""
        ...

    # ---- their lives ------------------------------------------------------------------------------------------------

    async def start(self, name: str) -> None: ...

    async def stop(self, name: str) -> None:
        """Until it is started again, or Callgate is."""
        ...

    async def restart(self, name: str) -> None: ...

    async def enable(self, name: str, enabled: bool) -> None:
        """Starts or stops it, now and whenever Callgate starts."""
        ...

    # ---- new ones ---------------------------------------------------------------------------------------------------

    def recognise(self, text: str, replacing: str = "") -> Recognition:
        """What a pasted text describes; `replacing`: the source whose name may be used again."""
        ...

    def draft(self, settings: SourceSettings, replacing: str = "") -> Draft:
        """The same with what is to be said of it."""
        ...

    async def found(self) -> tuple[FoundFile, ...]:
        """What other programs on this machine are set up with."""
        ...

    async def add(self, settings: SourceSettings, values: Mapping[str, str] = NO_VALUES, replacing: str = "") -> str:
        """Keeps it, and starts it; secrets go into the keyring. `values` are those of its inputs.

        Returns what the person should know, if anything. Raises `UserFault`.
        """
        ...

    async def remove(self, name: str) -> None:
        """Stops it and takes it out; raises `UserFault` where it is not ours to remove."""
        ...

    async def restore(self, name: str) -> None:
        """Takes a removal back."""
        ...

    def settings(self, name: str) -> SourceSettings | None:
        """As it was configured; secrets are asked for, not held."""
        ...

    def configuration(self, name: str, shape: Literal["servers", "toml"] = "servers") -> str:
        """To be pasted elsewhere."""
        ...

    async def examine(
        self,
        settings: SourceSettings,
        report: Callable[[DoctorStep], None],
        values: Mapping[str, str] = NO_VALUES,
    ) -> Diagnosis:
        """Tries a source in a process or connection of its own, which is gone afterwards; cancelling ends it."""
        ...
