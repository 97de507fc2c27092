"""The composition root of everything that is not Qt: builds each part and hands it to whoever needs it.

`headless` serves a station as it is; `app` puts a window on one.
"""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Literal

import platformdirs

from callgate.core.agent import stored_identity
from callgate.core.calls.invocation import Decider, Invocation
from callgate.core.calls.targets import Targets, targets_of
from callgate.core.config.settings import Settings
from callgate.core.errors import UserFault
from callgate.core.events import FaultRaised, JournalChanged, ProxyChanged, RulesChanged, ToolsChanged
from callgate.core.messages import Json
from callgate.core.rules.guarded_files import GuardedFiles
from callgate.engine.bus import Bus
from callgate.engine.console.agent_service import LiveAgentService
from callgate.engine.console.change_service import LiveChangeService, as_coroutine
from callgate.engine.console.live_console import LiveConsole
from callgate.engine.console.live_rule_service import LiveRuleService
from callgate.engine.exchange.call_run import CallDeps
from callgate.engine.exchange.direct_call import DirectCalls
from callgate.engine.exchange.exchange import ExchangeDeps
from callgate.engine.exchange.exchanges import Exchanges
from callgate.engine.exchange.history import MOST_EXCHANGES, Ended, History
from callgate.engine.exchange.replies import Replies, ReplyShelf
from callgate.engine.exchange.sample_writer import SampleWriter
from callgate.engine.exchange.upstream_request import UpstreamRequestBuilder
from callgate.engine.file_watch import FileWatch, Watched
from callgate.engine.gate.call_bindings import ToolBindings
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct
from callgate.engine.gate.invoker import Invoker
from callgate.engine.gate.mode_clock import ModeClock
from callgate.engine.gate.web_origins import WebOrigins
from callgate.engine.housekeeping import Housekeeping
from callgate.engine.offer.client_tools import ClientTools
from callgate.engine.offer.live_toolset_service import LiveToolsetService
from callgate.engine.offer.token_counter import TokenCounter
from callgate.engine.offer.tool_service import LiveToolService
from callgate.engine.offer.trial_service import LiveTryService
from callgate.engine.sources.live_sources import LiveSources
from callgate.engine.sources.questions import Questions
from callgate.engine.tasks import Tasks
from callgate.proxy.chat_endpoint import ChatEndpoint
from callgate.proxy.connection_limits import limits_of
from callgate.proxy.count_endpoint import CountEndpoint
from callgate.proxy.guard import Guard
from callgate.proxy.mcp_endpoint import McpEndpoint
from callgate.proxy.models_endpoint import ModelsEndpoint
from callgate.proxy.passthrough import Passthrough
from callgate.proxy.peer_process import PeerProcesses
from callgate.proxy.responses_endpoint import ResponsesEndpoint
from callgate.proxy.routes import Endpoints, build_app
from callgate.proxy.server import ProxyServer
from callgate.proxy.tools_endpoint import ToolsEndpoint
from callgate.runtime.build_endpoints import Providers
from callgate.runtime.build_mcp import McpBuilder
from callgate.runtime.build_sources import live_sources
from callgate.runtime.build_tools import ToolRegistry
from callgate.runtime.configuration import Configuration
from callgate.runtime.running_instance import InstanceSocket
from callgate.store.database import Database
from callgate.store.files.agent_tokens import FILE_NAME, agent_tokens
from callgate.store.files.config_file import ConfigFile, find_config
from callgate.store.files.json_file import JsonFile
from callgate.store.files.origins import OriginsFile
from callgate.store.files.reviewed_config import NamedConfig, ReviewedConfig
from callgate.store.files.reviewed_files import ReviewedFiles, json_file
from callgate.store.files.reviewed_rules import ReviewedRules
from callgate.store.files.tokenizer_files import places
from callgate.store.files.tool_examples import ToolExamples
from callgate.store.files.trust_anchor import usual_folder
from callgate.store.folder_lock import FolderLock
from callgate.store.journal import Journal
from callgate.store.outage import JournalState
from callgate.store.private_files import Tightened, tighten
from callgate.store.rulebook import Rulebook
from callgate.store.tables.definitions import Definitions
from callgate.store.tables.past_calls import PastCalls
from callgate.store.tables.trial_calls import TrialCalls
from callgate.tools.confinement import Confinement
from callgate.tools.links import through_absolute_links, through_links
from callgate.tools.mcp_source.server import McpServer
from callgate.tools.process.sandbox import Sandbox
from callgate.wire.registry import CODECS

log = logging.getLogger(__name__)

RECALLED_EXCHANGES = 200
"""How far back it is looked for the tools that agents bring along; each request repeats all of them."""
LEAVING: Final[tuple[Decider, str]] = ("leaving", "The person quit Callgate")
OnAskOption = Literal["wait", "deny", "allow"]


@dataclass(frozen=True, slots=True)
class Launch:
    """What the command line says; None = not said."""

    config: Path | None = None
    port: int | None = None
    workspace: Path | None = None
    data: Path | None = None
    on_ask: OnAskOption = "wait"
    windowed: bool = True
    """Whether somebody sees the calls: decides the default for calls that clients run themselves."""
    demo_pace_ms: int | None = None
    journal: Path | None = None
    """For commands that only look around: a journal of their own, so that the data folder need not be locked."""
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, compare=False)
    """All variables that the program was started with, also those that are taken out of its own environment."""
    trust_config: bool = False
    """Whether the configuration counts as it is, also one that lies in the workspace, where agents write."""

    @property
    def attended(self) -> bool:
        """Whether somebody can answer what is asked: at the window, or at a terminal that asks."""
        return self.windowed or self.on_ask == "wait"

    @property
    def data_folder(self) -> Path:
        return self.data or Path(platformdirs.user_data_dir("callgate", appauthor=False))

    @property
    def workspace_folder(self) -> Path:
        return (self.workspace or Path.cwd()).resolve()

    @property
    def named_config(self) -> NamedConfig:
        return NamedConfig(self.config, self.workspace_folder, self.trust_config)


def _reply_shelf(journal: Journal) -> ReplyShelf:
    return ReplyShelf(journal.reply, journal.reply_of_item, journal.owner_of)


class Runtime:
    """All parts, alive between `open` and `close`; raises `UserFault` for what the person can mend."""

    raise_window: Callable[[], None] | None = None
    """Set by whatever puts a window on the station."""
    _instance: InstanceSocket | None = None
    _ending: tuple[Decider, str] = ("shutdown", "Callgate is closing")
    """Who ends what still runs when the station closes, and the words for it."""
    _store_fault = ""
    """What was last said of an event that could not be stored: the saying itself may be another."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.files = ReviewedFiles(launch.data_folder)
        self._config: ConfigFile = ReviewedConfig(launch.named_config, self.files).file()
        self.settings: Settings = self._config.current
        if not launch.workspace_folder.is_dir():
            raise UserFault(f"The workspace {launch.workspace_folder} is not a folder.")
        self._private = self._own_folder()
        self.files.begin()
        self.lock = FolderLock(launch.data_folder) if launch.journal is None else None
        self.bus = Bus()
        self.tasks = Tasks(self.bus)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.database = Database(launch.journal or launch.data_folder / "callgate.db", on_error=self._store_failed)
        self.journal = Journal(self.database, keep_secrets=self.settings.journal.keep_secrets)
        self.definitions = Definitions(self.database)
        self.journal.on_change(self._journal_changed)
        self.bus.subscribe(self.journal.record)
        self.changes = LiveChangeService(self.files, self.bus, self.fault)
        self.rulebook = self._rulebook()
        own_files = self._own_files()
        self.workspace = Confinement(launch.workspace_folder, closed=own_files)
        self._guarded_files = GuardedFiles.around(
            self.workspace.root.as_posix(), [path.resolve().as_posix() for path in own_files], Path.home().as_posix()
        )
        self.questions = Questions(self.bus, self.settings.gate.deadline_seconds, attended=launch.attended)
        self.mcp_maker = McpBuilder(
            launch.workspace_folder, launch.data_folder, self.tasks, self.questions, launch.environ
        )
        self._sandbox = self._new_sandbox()
        self.sources = self._live_sources()
        self.toolbox = self._toolbox()
        self.catalog = self.toolbox.catalog
        self.sources.attach(self.catalog, self._toolset_service(), self.fault)
        providers = self._providers()
        self.routing, self.upstream, self._keys = providers.routing, providers.upstream, providers.keys
        self.models, self.endpoints = providers.models, providers.endpoints
        self.agents = LiveAgentService(agent_tokens(launch.data_folder, self.files), self.bus, self.tasks)
        self.client_tools = ClientTools()
        self.bus.subscribe(self.client_tools.apply)
        self.history = History()
        self._request_builder = UpstreamRequestBuilder(CODECS)
        self.replies = Replies(self.bus, _reply_shelf(self.journal))
        invoker = self._invoker()
        self.gate = self._gate(invoker)
        self._mode_clock = ModeClock(self.bus, self.gate, self.tasks)
        machinery = CallDeps(self.bus, self.gate, invoker, self.tasks, committed=self.journal.committed)
        self.direct = DirectCalls(machinery, self.catalog)
        self.mcp = McpEndpoint(self.catalog, self.direct, self.tasks)
        self.tools_endpoint = ToolsEndpoint(self.catalog, self.toolbox.registered, self.tasks)
        self.exchanges = Exchanges(self._surroundings(machinery))
        self.questions.set_writer(SampleWriter(self.exchanges))
        self.console = self._console()
        self.web_origins = self._web_origins()
        self.server = self._server()

    @property
    def address(self) -> str:
        return self.server.address

    async def open(self) -> None:
        """Remembers what was, connects the sources, and listens."""
        self._loop = asyncio.get_running_loop()
        left_failing = self.lock.left_failing if self.lock is not None else None
        await self.journal.recover(time.time(), left_failing)
        for row in await self.journal.lineages(MOST_EXCHANGES):
            self.history.remember(
                Ended(
                    row.exchange_id,
                    row.conversation_id,
                    stored_identity(row.agent, row.agent_proven),
                    row.lineage,
                    row.answer,
                    row.hidden,
                )
            )
            if row.answer is not None:
                self._request_builder.remember(row.answer, stored_identity(row.agent, row.agent_proven))
        for event in await self.journal.recent_exchanges(RECALLED_EXCHANGES):
            self.client_tools.apply(event)
        await self.sources.recall(self.journal.source_frames)
        await self.endpoints.open(self.fault)
        await self.catalog.open()
        self.catalog.on_change(self._tools_changed)
        self.rulebook.on_change(self._rules_changed)
        self._tools_changed()
        self._rules_changed()
        if self.database.moved_aside is not None:
            self.fault("journal", self._damage_report())
        for problem in self._private.problems:
            self.fault("data folder", problem)
        if self._origins.problem:
            self.fault("web pages", self._origins.problem)
        for fault in self.rulebook.faults():
            self.fault("rules", fault)
        if self.agents.problem:
            self.fault("agents", self.agents.problem)
        for where, problem in (*self.toolbox.problems(), *(("sources", problem) for problem in self.sources.problems)):
            self.fault(where, problem)
        self.agents.on_revoked(self.exchanges.stop_token, self.direct.stop_token)
        watch = self._file_watch()
        await self.mcp.open()
        self.tools_endpoint.open()
        port = self.settings.server.port if self.launch.port is None else self.launch.port
        address = await self.server.start(self.settings.server.host, port)
        self.bus.publish(ProxyChanged(address, time.time(), self.server.note))
        if self.lock is not None:
            self.lock.note_failing(self.journal.state.failing_since)
            self._instance = InstanceSocket(self.launch.data_folder, lambda: self.address, self.raise_window)
            await self._instance.open()
        house = Housekeeping(self.journal.shelf, self.settings.journal, self.console.forget)
        self.tasks.start(house.run(), "keeping the journal tidy")
        self.tasks.start(watch.run(), "watching the configuration")

    def leave(self) -> None:
        """The person quits: what runs and waits is ended in their name, at once. `close` does the rest."""
        self._ending = LEAVING
        self.server.refuse_new()
        self._stop_all()

    def _stop_all(self) -> None:
        self.exchanges.stop_all(*self._ending)
        self.direct.stop_all(*self._ending)

    async def close(self) -> None:
        """In order: nobody new, running exchanges cancelled, peers left, everything that happened written down."""
        self.server.refuse_new()
        if self._instance is not None:
            self._instance.close()
        self.questions.close()
        self._stop_all()
        self.tools_endpoint.close()
        await self.mcp.close()
        await self.server.stop()
        await self.tasks.close()
        await self.catalog.close()
        await self.upstream.close()
        await self.console.archive.close()
        self.agents.close()
        self._peers.close()
        if not await asyncio.to_thread(self.database.close):
            log.error("the journal could not be written to its end")
        if self.lock is not None:
            self.lock.release()

    def fault(self, where: str, message: str, detail: str = "") -> None:
        """Shows an error that no exchange owns."""
        self.bus.publish(FaultRaised(where, message, time.time(), detail))

    # ---- parts -----------------------------------------------------------------------------------------------------

    def _own_files(self) -> list[Path]:
        """What no tool may touch unasked."""
        usual = [self.launch.data_folder, platformdirs.user_config_path("callgate", appauthor=False), usual_folder()]
        return usual if self.launch.config is None else [*usual, self.launch.config]

    def _toolbox(self) -> ToolRegistry:
        return ToolRegistry(
            self.settings,
            self.workspace,
            self.launch.data_folder,
            self._toolset_folders(),
            self.sources.slots("config"),
            self.sources.slots("added"),
            environ=self.launch.environ,
            files=self.files,
            sandbox=self._sandbox,
        )

    def _own_folder(self) -> Tightened:
        try:
            return tighten(self.launch.data_folder)
        except OSError as error:
            raise UserFault(
                f"Callgate cannot use the folder {self.launch.data_folder}: {error.strerror or error}. "
                "Choose another data folder with --data DIR."
            ) from error

    def _live_sources(self) -> LiveSources:
        return live_sources(
            self.settings,
            self.workspace,
            self.mcp_maker,
            self.bus,
            self.tasks,
            files=self.files,
            environ=self.launch.environ,
            sandbox=self._sandbox,
        )

    def _new_sandbox(self) -> Sandbox:
        alarm = partial(self._fault_from_thread, "sandbox")
        return Sandbox(self.workspace, self.settings.tools, self._guarded_files, alarm=alarm)

    def _providers(self) -> Providers:
        return Providers(
            self.settings,
            self.files,
            self.launch.demo_pace_ms,
            self.bus,
            self.tasks,
            lambda: self.address,
            self.launch.environ,
        )

    def _rulebook(self) -> Rulebook:
        rules = self.launch.data_folder / "rules.toml"
        reviewed = ReviewedRules(rules, self.files)
        return Rulebook(rules, self.settings, self.launch.workspace_folder, reviewed=reviewed)

    def _invoker(self) -> Invoker:
        return Invoker(
            self.catalog,
            self.bus,
            self.settings.gate.tool_timeout_seconds,
            groups=self.toolbox.groups,
            result_limit=self.toolbox.result_limit,
            workspace=self.launch.workspace_folder,
        )

    def _gate(self, invoker: Invoker) -> Gate:
        return Gate(
            self.bus,
            self.rulebook,
            self._conduct(self.settings),
            invoker.problem_with,
            twin_of=self.catalog.twin_of,
            prepare=invoker.preview,
            targets=self._targets_of,
            describe=invoker.describe,
            bindings=ToolBindings(invoker.bound, self.client_tools),
            unrecorded=lambda call: bool(self.journal.fault) and not (call and invoker.only_reads(call)),
        )

    def _surroundings(self, machinery: CallDeps) -> ExchangeDeps:
        return ExchangeDeps(
            machinery,
            self.toolbox.offering,
            self.history,
            self.routing,
            self.upstream,
            self._request_builder,
            self.replies,
            self._keys.key_for,
        )

    def _console(self) -> LiveConsole:
        return LiveConsole(
            self.bus,
            self.gate,
            self.catalog,
            self.exchanges,
            self.direct,
            self.history,
            self.replies,
            self.journal,
            self.rulebook,
            self.models,
            self.toolbox.offering,
            self.client_tools,
            self._rule_service(),
            self._tool_service(),
            self.sources,
            self.endpoints,
            self._try_service(),
            questions=self.questions,
            setups=JsonFile(self.launch.data_folder / "composer.json"),
            agents=self.agents,
        )

    def _tool_service(self) -> LiveToolService:
        past = PastCalls(self.database)
        counter = TokenCounter(places(self.settings.tokenizers))
        return LiveToolService(self.catalog, self.client_tools, self.rulebook, past, self.definitions, counter)

    def _try_service(self) -> LiveTryService:
        examples = ToolExamples(JsonFile(self.launch.data_folder / "examples.json"))
        needs_token = bool(self.settings.server.token)
        return LiveTryService(
            self.catalog, self.direct, TrialCalls(self.database), examples, lambda: self.address, needs_token
        )

    def _rule_service(self) -> LiveRuleService:
        return LiveRuleService(
            self.rulebook,
            self.catalog,
            self.client_tools,
            self.journal,
            self.definitions,
            self.direct,
            self.launch.workspace_folder.as_posix(),
        )

    def _file_watch(self) -> FileWatch:
        """The files that a person edits while the program runs, or that another program may have changed."""
        data, service = self.launch.data_folder, self.changes
        read = Configuration(
            self._config, self.rulebook, self._conduct, self.gate.set_conduct, self.endpoints.configure, self.fault
        )
        readers = {
            data / "rules.toml": read.reread_rules,
            data / "sources.json": self.sources.read_again,
            data / "endpoints.json": partial(self.endpoints.read_again, self.fault),
            data / "switches.json": as_coroutine(self.toolbox.read_switches),
            data / "registered-tools.json": as_coroutine(self.toolbox.read_registered),
            data / FILE_NAME: self.agents.reread,
            data / "origins.json": as_coroutine(self.web_origins.read_again),
        }
        if self._config.path is not None:
            readers[self._config.path] = read.reread
        service.attach({self.files.name_of(path): reader for path, reader in readers.items()})
        watched = [Watched(path, partial(service.guarded, reader)) for path, reader in readers.items()]
        return FileWatch([*watched, Watched(self.files.accepted.path, service.read_accepted)], after=service.settle)

    def _toolset_folders(self) -> tuple[Path, ...]:
        config = find_config(self.launch.config)
        usual = platformdirs.user_config_path("callgate", appauthor=False)
        return (usual, config.parent if config is not None else usual, self.launch.workspace_folder / ".vscode")

    def _conduct(self, settings: Settings) -> GateConduct:
        gate = settings.gate
        client_tools = gate.client_tools or ("ask" if self.launch.windowed else "observe")
        observe = client_tools == "observe"
        return GateConduct(observe, gate.deadline_seconds, self.launch.on_ask, attended=self.launch.attended)

    def _server(self) -> ProxyServer:
        guard = Guard(self.settings.server, origins=self.web_origins)
        self._peers = PeerProcesses()
        chat = ChatEndpoint(self.exchanges, guard, self.tasks, self.bus, CODECS, self.settings.server.tool_history)
        passthrough = Passthrough(
            self.routing,
            self.upstream,
            guard,
            self._keys.key_for,
            self.tasks,
            relay_unjudged=self.settings.server.relay_unjudged,
        )
        endpoints = Endpoints(
            chat,
            self.tools_endpoint,
            ModelsEndpoint(self.models, CODECS),
            ResponsesEndpoint(self.replies, CODECS["openai-responses"], passthrough),
            self.mcp,
            CountEndpoint(passthrough, CODECS["openai-responses"]),
            passthrough,
            guard,
            self._health,
            self._peers,
            self.agents.find,
            self.settings.server.token,
        )
        return ProxyServer(
            build_app(endpoints),
            self.tasks,
            limits=limits_of(self.settings.server),
            processes=self._peers,
            report=lambda message: self.fault("connections", message),
        )

    def _web_origins(self) -> WebOrigins:
        self._origins = OriginsFile(json_file(self.launch.data_folder / "origins.json", "origins", self.files))
        configured = self.settings.server.allowed_origins
        return WebOrigins(self._origins, self.questions, self.tasks, configured=configured)

    def _targets_of(self, invocation: Invocation, arguments: str) -> Targets:
        """What a call is about; only of tools that run here is it known where their paths begin."""
        tool = self.catalog.get(invocation.tool) if invocation.owner == "gate" else None
        files = self._guarded_files
        if tool is None:
            return through_absolute_links(targets_of(invocation.tool, arguments, files=files), files)
        root = str(self.workspace.root)
        read_only = tool.annotations.read_only is True
        return through_links(
            targets_of(tool.name, arguments, tool.tags, root, files=files, read_only=read_only), root, files
        )

    @property
    def mcp_sources(self) -> tuple[McpServer, ...]:
        """Those that are switched on."""
        return self.sources.servers()

    def _toolset_service(self) -> LiveToolsetService:
        usual = platformdirs.user_config_path("callgate", appauthor=False)
        return LiveToolsetService(self.toolbox.toolsets, usual, self._tools_changed)

    def _tools_changed(self) -> None:
        self.bus.publish(ToolsChanged(self.catalog.tools(), time.time()))
        self.gate.tools_changed()

    def _rules_changed(self) -> None:
        self.bus.publish(RulesChanged(self.rulebook.rules(), time.time()))

    def _health(self) -> dict[str, Json]:
        state = self.journal.state
        if not self.journal.fault:
            return {"ok": True, "decisions_missing": state.missing}
        why = state.why or self.journal.fault
        return {"ok": False, "failing_since": state.failing_since, "why": why, "decisions_missing": state.missing}

    def _damage_report(self) -> str:
        aside, why = self.database.moved_aside, self.database.damage
        return f"The journal could not be used ({why}). It was moved to {aside}, and a new one was begun."

    def _store_failed(self, error: Exception) -> None:
        # called on the writer's thread; the loop shows it
        log.error("the journal failed: %s", error)
        self._on_loop(lambda: self._tell_store_fault(str(error)))

    def _tell_store_fault(self, message: str) -> None:
        if message != self._store_fault:
            self._store_fault = message
            self.fault("journal", f"Something that happened could not be recorded: {message}")

    def _journal_changed(self, state: JournalState) -> None:
        # called on the writer's thread
        if self.lock is not None:
            self.lock.note_failing(state.failing_since)
        self._on_loop(lambda: self._tell_journal(state))

    def _tell_journal(self, state: JournalState) -> None:
        self.bus.publish(JournalChanged(time.time(), state.failing_since, state.why, state.missing))
        self.gate.recording_changed()

    def _on_loop(self, work: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):  # it has been closed since
                self._loop.call_soon_threadsafe(work)

    def _fault_from_thread(self, where: str, message: str) -> None:
        self._on_loop(lambda: self.fault(where, message))
