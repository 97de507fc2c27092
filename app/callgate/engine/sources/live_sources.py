"""The source desk of a running engine: keeps every configured source's life, words and settings together."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, Protocol

from callgate.core.config.doctor import Diagnosis, DoctorStep
from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_input import hide_secrets, inputs_of
from callgate.core.config.source_text import spell_servers, spell_toml
from callgate.core.errors import UserFault
from callgate.core.events import FrameCaptured, SourceChanged
from callgate.engine.bus import Bus
from callgate.engine.offer.toolset_service import ToolsetService
from callgate.engine.sources.source_drafts import SourceDrafts
from callgate.engine.sources.source_hooks import SourceHooks
from callgate.engine.sources.source_log import SourceLog
from callgate.engine.sources.source_record import SourceRecord, view_of_own
from callgate.engine.sources.source_secrets import SourceSecrets
from callgate.engine.sources.source_service import (
    NO_VALUES,
    Draft,
    FoundFile,
    LogLine,
    News,
    Recognition,
    SourceView,
    WireFrame,
)
from callgate.engine.tasks import Tasks
from callgate.store.files.source_file import SourceFile
from callgate.tools.catalog import Catalog
from callgate.tools.mcp_source.server import McpServer
from callgate.tools.mcp_source.status import Status
from callgate.tools.source import Source
from callgate.tools.source_slot import SourceSlot

RECALLED_FRAMES = 200
"""Of each server: enough to see how it went, few enough to be read at every start."""
Report = Callable[[DoctorStep], None]


class SourceBuilder(Protocol):
    """Makes sources out of their settings; part of the composition root."""

    async def prepare(self, settings: SourceSettings) -> None:
        """Loads what `make` needs for such a source, so that it holds nothing up; done before, it returns at once."""
        ...

    def make(self, settings: SourceSettings, hooks: SourceHooks) -> Source: ...

    async def examine(self, settings: SourceSettings, report: Report, values: Mapping[str, str]) -> Diagnosis:
        """Tries a source step by step, with the values that its settings ask for."""
        ...


@dataclass(frozen=True, slots=True)
class _Removed:
    """What it takes to bring a source back."""

    settings: SourceSettings
    enabled: bool
    place_in_file: int
    place_in_catalog: int
    values: Mapping[str, str]


@dataclass(slots=True, eq=False)
class _Hearing:
    listener: News
    _listeners: "list[_Hearing]" = field(repr=False)

    def close(self) -> None:
        if self in self._listeners:
            self._listeners.remove(self)


class LiveSources:
    """Implements `SourceService`. `attach` comes before everything else: the catalog is made of its slots."""

    def __init__(
        self,
        configured: tuple[SourceSettings, ...],
        file: SourceFile,
        vault: SourceSecrets,
        maker: SourceBuilder,
        bus: Bus,
        tasks: Tasks,
        workspace: Path,
    ) -> None:
        self._file, self._vault, self._maker = file, vault, maker
        self._bus, self._tasks, self._workspace = bus, tasks, workspace
        self._hearings: list[_Hearing] = []
        self._removed: dict[str, _Removed] = {}
        self._faults: dict[str, str] = {}
        """What was last said of each source that failed, so that it is said once."""
        self._fault: Callable[[str, str], None] = lambda where, message: None
        self.problems = list(file.problems)
        """What is wrong with the file of added sources, in words."""
        # servers first: which of two tools of one name gets the plain one depends on it
        ordered = sorted(configured, key=lambda source: source.kind != "mcp")
        self._records = [self._record(settings, "config") for settings in ordered]
        names = {record.name for record in self._records}
        for settings in file.sources:
            if settings.name in names:
                self.problems.append(
                    f"The source {settings.name!r} was added here, but the configuration file has one of that name "
                    "too, which counts. Rename one of them."
                )
            else:
                self._records.append(self._record(settings, "added"))

    def attach(self, catalog: Catalog, toolsets: ToolsetService, fault: Callable[[str, str], None]) -> None:
        self._catalog, self._toolsets, self._fault = catalog, toolsets, fault
        self._drafts = SourceDrafts(self._workspace, lambda: tuple(r.settings for r in self._records), self._names)

    def slots(self, origin: Literal["config", "added"]) -> tuple[SourceSlot, ...]:
        """The places in the catalog, each filled if its source is switched on."""
        return tuple(record.slot for record in self._records if record.origin == origin)

    def servers(self) -> tuple[McpServer, ...]:
        return tuple(record.server for record in self._records if record.server is not None)

    async def recall(self, kept: Callable[[str, int], Awaitable[Sequence[FrameCaptured]]]) -> None:
        """What servers said in earlier runs, as far as it is kept; before any of them is started."""
        for record in self._records:
            if record.settings.kind == "mcp":
                for frame in await kept(record.name, RECALLED_FRAMES):
                    record.voice.add_frame(frame)

    # ---- what there is ----------------------------------------------------------------------------------------------

    @property
    def toolsets(self) -> ToolsetService:
        return self._toolsets

    def sources(self) -> tuple[SourceView, ...]:
        records = {id(record.slot): record for record in self._records}
        return tuple(
            record.view() if (record := records.get(id(source))) is not None else view_of_own(source)
            for source in self._catalog.sources
        )

    def source(self, name: str) -> SourceView | None:
        return next((view for view in self.sources() if view.name == name), None)

    def settings(self, name: str) -> SourceSettings | None:
        record = self._find(name)
        return None if record is None else hide_secrets(record.settings).settings

    def configuration(self, name: str, shape: Literal["servers", "toml"] = "servers") -> str:
        settings = self.settings(name)
        if settings is None:
            raise UserFault(f"{name} belongs to Callgate itself and has no configuration.")
        return spell_toml(settings) if shape == "toml" or settings.kind == "command" else spell_servers(settings)

    # ---- what they say ----------------------------------------------------------------------------------------------

    def log(self, name: str, after: int = -1) -> tuple[LogLine, ...]:
        record = self._find(name)
        return record.voice.lines(after) if record is not None else ()

    def frames(self, name: str, after: int = -1) -> tuple[WireFrame, ...]:
        record = self._find(name)
        return record.voice.frames(after) if record is not None else ()

    def clear(self, name: str) -> None:
        record = self._find(name)
        if record is not None:
            record.voice.clear()

    def on_news(self, listener: News) -> _Hearing:
        hearing = _Hearing(listener, self._hearings)
        self._hearings.append(hearing)
        return hearing

    # ---- their lives ------------------------------------------------------------------------------------------------

    async def start(self, name: str) -> None:
        await self._maker.prepare(self._required(name).settings)
        record = self._required(name)
        if record.slot.source is None:
            self._fill(record)
        server = record.server
        if server is not None and server.state in ("failed", "restarting"):
            server.restart()
        else:
            await record.slot.open()
        self._tell(record)

    async def stop(self, name: str) -> None:
        record = self._required(name)
        await record.slot.close()
        self._tell(record)

    async def restart(self, name: str) -> None:
        record = self._required(name)
        server = record.server
        if server is None or server.state == "stopped":
            await self.start(name)
        else:
            server.restart()

    async def enable(self, name: str, enabled: bool) -> None:
        await self._maker.prepare(self._required(name).settings)
        record = self._required(name)
        self._file.switch(name, enabled)
        await self._set_enabled(record, enabled)

    async def _set_enabled(self, record: SourceRecord, enabled: bool) -> None:
        record.enabled = enabled
        if enabled:
            await self.start(record.name)
            return
        await self._empty(record)
        self._tell(record)

    async def _empty(self, record: SourceRecord) -> None:
        source = record.slot.source
        record.slot.fill(None)
        if source is not None:
            await source.close()

    async def read_again(self) -> None:
        """What was added was changed elsewhere. Raises `UserFault`, and nothing has changed then."""
        self._file.read_again()
        wanted = {settings.name: settings for settings in self._file.sources}
        for record in [one for one in self._records if one.origin == "added" and one.name not in wanted]:
            self._records.remove(record)
            self._catalog.remove(record.slot)
            await self._empty(record)
            self._bus.publish(SourceChanged(record.name, "removed", time.time()))
        for name, settings in wanted.items():
            record = self._find(name)
            if record is not None and (record.origin == "config" or record.settings == settings):
                continue
            await self._maker.prepare(settings)
            if record is None:
                record = self._record(settings, "added")
                self._records.append(record)
                self._catalog.add(record.slot)
            else:
                await self._replace(record, settings)
            await record.slot.open()
            self._tell(record)
        for record in tuple(self._records):
            said = self._file.switched(record.name)
            enabled = record.settings.enabled if said is None else said
            if enabled != record.enabled:
                await self._maker.prepare(record.settings)
                await self._set_enabled(record, enabled)

    # ---- new ones ---------------------------------------------------------------------------------------------------

    def recognise(self, text: str, replacing: str = "") -> Recognition:
        return self._drafts.recognise(text, replacing)

    def draft(self, settings: SourceSettings, replacing: str = "") -> Draft:
        return self._drafts.draft(settings, replacing)

    async def found(self) -> tuple[FoundFile, ...]:
        return await self._drafts.found()

    async def add(self, settings: SourceSettings, values: Mapping[str, str] = NO_VALUES, replacing: str = "") -> str:
        await self._maker.prepare(settings)
        if problem := self._drafts.draft(settings, replacing).problem:
            raise UserFault(problem)
        before = self._required(replacing) if replacing else None
        if before is not None and before.origin != "added":
            raise UserFault(f"{replacing} stands in the configuration file: change it there.")
        hidden = hide_secrets(settings)
        # of several sources that were pasted together each keeps what it asks for itself
        given = {name: values[name] for name in inputs_of(settings) if values.get(name)}
        secrets = {**given, **hidden.values}
        if before is not None:
            secrets = {**await self._vault.values(replacing, inputs_of(before.settings)), **secrets}
        self._file.put(hidden.settings, replaces=replacing)
        note = await self._vault.keep(settings.name, secrets) if secrets else ""
        if before is None:
            record = self._record(hidden.settings, "added")
            self._records.append(record)
            self._catalog.add(record.slot)
        else:
            record = before
            await self._replace(record, hidden.settings)
        await record.slot.open()
        self._tell(record)
        return note

    async def remove(self, name: str) -> None:
        record = self._required(name)
        if record.origin != "added":
            raise UserFault(f"{name} stands in the configuration file: remove it there, or switch it off here.")
        inputs = inputs_of(record.settings)
        values = await self._vault.values(name, inputs) if inputs else {}
        place = self._file.remove(name)
        self._records.remove(record)
        position = self._catalog.remove(record.slot)
        self._removed[name] = _Removed(record.settings, record.enabled, place, position, values)
        source = record.slot.source
        record.slot.fill(None)
        self._bus.publish(SourceChanged(name, "removed", time.time()))
        if source is not None:
            await source.close()
        await self._vault.forget(name, inputs)

    async def restore(self, name: str) -> None:
        if name in self._removed:
            await self._maker.prepare(self._removed[name].settings)
        removed = self._removed.get(name)
        if removed is None:
            raise UserFault(f"{name} can't be brought back any more.")
        if problem := self._drafts.draft(removed.settings).problem:
            raise UserFault(problem)
        self._file.put(removed.settings, removed.place_in_file)
        if not removed.enabled:
            self._file.switch(name, False)
        del self._removed[name]
        if removed.values:
            await self._vault.keep(name, removed.values)
        record = self._record(removed.settings, "added")
        first = next((at for at, one in enumerate(self._records) if one.origin == "added"), len(self._records))
        self._records.insert(first + removed.place_in_file, record)
        self._catalog.add(record.slot, min(removed.place_in_catalog, len(self._catalog.sources)))
        await record.slot.open()
        self._tell(record)

    async def examine(
        self, settings: SourceSettings, report: Report, values: Mapping[str, str] = NO_VALUES
    ) -> Diagnosis:
        known = await self._vault.values(settings.name, inputs_of(settings)) if self._find(settings.name) else {}
        given = {name: value for name, value in values.items() if value}
        return await self._maker.examine(settings, report, {**known, **given})

    # ---- inside -----------------------------------------------------------------------------------------------------

    def _names(self) -> frozenset[str]:
        return frozenset(source.name for source in self._catalog.sources)

    def _find(self, name: str) -> SourceRecord | None:
        return next((record for record in self._records if record.name == name), None)

    def _required(self, name: str) -> SourceRecord:
        record = self._find(name)
        if record is None:
            raise UserFault(f"There is no source {name!r} that could be started or stopped.")
        return record

    def _record(self, settings: SourceSettings, origin: Literal["config", "added"]) -> SourceRecord:
        said = self._file.switched(settings.name)
        enabled = settings.enabled if said is None else said
        slot = SourceSlot(settings.name)
        voice = SourceLog(lambda: self._heard(slot.name))
        record = SourceRecord(settings, origin, enabled, slot, voice)
        if enabled:
            self._fill(record)
        return record

    def _fill(self, record: SourceRecord) -> None:
        async def value(name: str) -> str | None:
            return await self._vault.value(record.name, name) if record.origin == "added" else None

        def heard(frame: FrameCaptured) -> None:
            record.voice.add_frame(frame)
            self._bus.publish(frame)

        hooks = SourceHooks(value, heard, record.voice.add_line)
        source = self._maker.make(record.settings, hooks)
        if isinstance(source, McpServer):
            source.on_status(partial(self._moved, record, source))
        record.slot.fill(source)

    async def _replace(self, record: SourceRecord, settings: SourceSettings) -> None:
        """The same place with other settings."""
        source = record.slot.source
        record.slot.fill(None)
        if source is not None:
            await source.close()
        if record.name != settings.name:
            await self._vault.forget(record.name, inputs_of(record.settings))
            self._bus.publish(SourceChanged(record.name, "removed", time.time()))
        record.settings, record.slot.name = settings, settings.name
        self._faults.pop(record.name, None)
        if record.enabled:
            self._fill(record)

    def _moved(self, record: SourceRecord, source: McpServer, status: Status) -> None:
        if record.server is not source:
            return  # one that was replaced, on its way out
        record.moved(status)
        self._catalog.refresh()
        self._tell(record)
        if status.state == "ready":
            self._faults.pop(record.name, None)
        elif status.state == "failed" and self._faults.get(record.name) != status.reason:
            self._faults[record.name] = status.reason
            self._fault(f"MCP server {record.name}", status.reason)

    def _tell(self, record: SourceRecord) -> None:
        view = record.view()
        self._bus.publish(SourceChanged(record.name, view.state, time.time(), view.reason))

    def _heard(self, name: str) -> None:
        for hearing in tuple(self._hearings):
            hearing.listener(name)
