"""A source desk without sources: lists to fill, real recognition, and a record of what the person did."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from callgate.core.config.doctor import Diagnosis, DoctorStep
from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_text import spell_servers
from callgate.core.errors import UserFault
from callgate.engine.offer.toolset_service import DeclaredToolset
from callgate.engine.sources.source_drafts import SourceDrafts
from callgate.engine.sources.source_service import Draft, FoundFile, LogLine, News, Recognition, SourceView, WireFrame


@dataclass
class FakeToolsetService:
    sets: dict[str, DeclaredToolset] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def declared(self) -> tuple[DeclaredToolset, ...]:
        return tuple(self.sets.values())

    def notes(self) -> tuple[str, ...]:
        return self.problems

    def save(self, toolset: DeclaredToolset, was: str = "") -> None:
        if not toolset.members:
            raise UserFault("A toolset needs at least one tool.")
        self.sets = {toolset.name if name == was else name: one for name, one in self.sets.items()}
        self.sets[toolset.name] = toolset

    def remove(self, name: str) -> None:
        del self.sets[name]


@dataclass
class _Hearing:
    closed: bool = False

    def close(self) -> None:
        self.closed = True


@dataclass(eq=False)
class FakeSourceService:
    """Implements `SourceService`."""

    views: dict[str, SourceView] = field(default_factory=dict)
    lines: dict[str, list[LogLine]] = field(default_factory=dict)
    wire: dict[str, list[WireFrame]] = field(default_factory=dict)
    files: tuple[FoundFile, ...] = ()
    known: dict[str, SourceSettings] = field(default_factory=dict)
    steps: list[DoctorStep] = field(default_factory=list)
    """What an examination reports."""
    stderr: tuple[str, ...] = ()
    done: list[tuple[str, ...]] = field(default_factory=list)
    """Every verb with what it was about."""
    values: dict[str, str] = field(default_factory=dict)
    toolsets: FakeToolsetService = field(default_factory=FakeToolsetService)
    fault: str = ""
    """If set, every verb is refused with it."""
    _listeners: list[tuple[_Hearing, News]] = field(default_factory=list)

    def show(self, *views: SourceView) -> None:
        self.views |= {view.name: view for view in views}

    def sources(self) -> tuple[SourceView, ...]:
        return tuple(self.views.values())

    def source(self, name: str) -> SourceView | None:
        return self.views.get(name)

    def log(self, name: str, after: int = -1) -> tuple[LogLine, ...]:
        return tuple(line for line in self.lines.get(name, ()) if line.number > after)

    def frames(self, name: str, after: int = -1) -> tuple[WireFrame, ...]:
        return tuple(frame for frame in self.wire.get(name, ()) if frame.number > after)

    def clear(self, name: str) -> None:
        self.lines.pop(name, None)
        self.wire.pop(name, None)
        self.speak(name)

    def on_news(self, listener: News) -> _Hearing:
        hearing = _Hearing()
        self._listeners.append((hearing, listener))
        return hearing

    def speak(self, name: str) -> None:
        for hearing, listener in self._listeners:
            if not hearing.closed:
                listener(name)

    def _do(self, *words: str) -> None:
        if self.fault:
            raise UserFault(self.fault)
        self.done.append(words)

    async def start(self, name: str) -> None:
        self._do("start", name)

    async def stop(self, name: str) -> None:
        self._do("stop", name)

    async def restart(self, name: str) -> None:
        self._do("restart", name)

    async def enable(self, name: str, enabled: bool) -> None:
        self._do("enable", name, str(enabled))
        self.views[name] = replace(self.views[name], enabled=enabled, state="ready" if enabled else "off")

    @property
    def _drafts(self) -> SourceDrafts:
        return SourceDrafts(Path("/work"), lambda: tuple(self.known.values()), lambda: frozenset(self.views))

    def recognise(self, text: str, replacing: str = "") -> Recognition:
        return self._drafts.recognise(text, replacing)

    def draft(self, settings: SourceSettings, replacing: str = "") -> Draft:
        return self._drafts.draft(settings, replacing)

    async def found(self) -> tuple[FoundFile, ...]:
        return self.files

    async def add(self, settings: SourceSettings, values: Mapping[str, str] = {}, replacing: str = "") -> str:
        self._do("add", settings.name)
        self.values |= values
        self.known[settings.name] = settings
        self.views[settings.name] = SourceView(settings.name, settings.kind, "added", "starting")
        return ""

    async def remove(self, name: str) -> None:
        self._do("remove", name)
        del self.views[name]

    async def restore(self, name: str) -> None:
        self._do("restore", name)

    def settings(self, name: str) -> SourceSettings | None:
        return self.known.get(name)

    def configuration(self, name: str, shape: Literal["servers", "toml"] = "servers") -> str:
        return spell_servers(self.known[name])

    async def examine(
        self,
        settings: SourceSettings,
        report: Callable[[DoctorStep], None],
        values: Mapping[str, str] = {},
    ) -> Diagnosis:
        self._do("examine", settings.name)
        for step in self.steps:
            report(step)
        return Diagnosis(tuple(self.steps), self.stderr)
