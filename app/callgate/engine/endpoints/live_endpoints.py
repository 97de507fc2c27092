"""The endpoint desk of a running engine: who answers, from the configuration and from the window, live.

What changes counts for the next request; what is under way stays with the endpoint it was given.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from callgate.core.config.endpoint_draft import DraftJudgement, EndpointDraft, Surroundings, draft_of, judge, key_choice
from callgate.core.config.endpoint_text import endpoint_toml
from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import UserFault
from callgate.core.events import EndpointsChanged
from callgate.core.request import WireName
from callgate.engine.bus import Bus
from callgate.engine.endpoints.endpoint_book import DEMO, EndpointBook
from callgate.engine.endpoints.endpoint_examiner import EndpointExaminer
from callgate.engine.endpoints.endpoint_keys import EndpointKeys
from callgate.engine.endpoints.endpoint_service import Done, EndpointOrigin, EndpointView, Examination
from callgate.engine.endpoints.model_list import ModelList
from callgate.engine.tasks import Tasks
from callgate.upstream.endpoint import Endpoint
from callgate.upstream.routing import Routing
from callgate.wire.dialects import DIALECTS
from callgate.wire.registry import TRAITS

Fault = Callable[[str, str], None]
"""Where it happened, and what."""


@dataclass(frozen=True, slots=True)
class _Before:
    """What it takes to go back."""

    added: tuple[UpstreamSettings, ...]
    keys: dict[str, str | None]
    """Of the endpoints that were touched; None = there was none."""


class LiveEndpoints:
    """Implements `EndpointService`. `open` reads the keys; until then nothing can be asked."""

    def __init__(
        self,
        book: EndpointBook,
        keys: EndpointKeys,
        routing: Routing,
        models: ModelList,
        examiner: EndpointExaminer,
        bus: Bus,
        tasks: Tasks,
        own_address: Callable[[], str],
    ) -> None:
        self._book, self._keys, self._routing, self._models = book, keys, routing, models
        self._examiner, self._bus, self._tasks, self._own_address = examiner, bus, tasks, own_address
        self._examined: dict[str, Examination] = {}
        self._checking: set[str] = set()
        self._looking: dict[str, asyncio.Task[None]] = {}
        """Checks that began by themselves."""
        self._unfit: dict[str, str] = {}
        """Added endpoints that can't be used as they are, and why."""
        self._changes = 0
        self._before: _Before | None = None
        self._lock = asyncio.Lock()
        """One change after the other: a keyring may keep one waiting."""
        self._route()

    async def open(self, fault: Fault) -> None:
        for problem in self._book.problems():
            fault("endpoints", problem)
        known = self._book.by_name()
        await self._keys.read(known.values())
        self._tell_missing(known, fault)

    async def configure(self, upstreams: Sequence[UpstreamSettings], fault: Fault) -> None:
        """What the configuration says from now on. Raises `UserFault`, and nothing has changed then."""
        async with self._lock:
            before, problems = self._book.by_name(), self._book.problems()
            if tuple(upstreams) == self._book.configured:
                return
            self._book.configure(upstreams)
            changed = await self._settle(before)
        for problem in self._book.problems():
            if problem not in problems:
                fault("endpoints", problem)
        self._tell_missing(changed, fault)
        self._look_at(changed)

    async def read_again(self, fault: Fault) -> None:
        """What was added in the window was changed elsewhere. Raises `UserFault`, and nothing has changed then."""
        async with self._lock:
            before, problems = self._book.by_name(), self._book.problems()
            self._book.read_again()
            if self._book.by_name() == before and self._book.problems() == problems:
                return
            changed = await self._settle(before)
        for problem in self._book.problems():
            if problem not in problems:
                fault("endpoints", problem)
        self._tell_missing(changed, fault)
        self._look_at(changed)

    # ---- what there is ----------------------------------------------------------------------------------------------

    def endpoints(self) -> tuple[EndpointView, ...]:
        views = [self._view(one, "config") for one in self._book.configured]
        views += [self._view(one, "added") for one in self._book.added]
        if DEMO not in self._book.by_name():
            demo, default = self._routing.endpoints[-1], self._routing.default
            views.append(EndpointView(DEMO, "demo", demo.wires, "", demo.models, is_default=demo is default))
        return tuple(views)

    def endpoint(self, name: str) -> EndpointView | None:
        return next((view for view in self.endpoints() if view.name == name), None)

    def problems(self) -> tuple[str, ...]:
        return self._book.problems()

    def settings(self, name: str) -> UpstreamSettings | None:
        return self._book.by_name().get(name)

    def configuration(self, name: str) -> str:
        settings = self.settings(name)
        if settings is None:
            raise UserFault("The demo model is part of Callgate and has no configuration.")
        return endpoint_toml(settings)

    def dialects(self) -> Sequence[str]:
        return tuple(DIALECTS)

    # ---- new ones ---------------------------------------------------------------------------------------------------

    def judge(self, draft: EndpointDraft, replacing: str = "") -> DraftJudgement:
        vertex_wires: list[WireName] = [wire for wire, traits in TRAITS.items() if traits.vertex is not None]
        around = Surroundings(self._book.names() - {replacing}, DIALECTS, self._own_address(), vertex_wires)
        return judge(draft, around)

    def free_name(self, wanted: str) -> str:
        taken, number = self._book.names(), 2
        name = wanted
        while name in taken:
            name, number = f"{wanted}-{number}", number + 1
        return name

    async def add(self, settings: UpstreamSettings, key: str = "", replacing: str = "") -> Done:
        async with self._lock:
            judged = self.judge(draft_of(settings), replacing)
            if judged.settings is None:
                raise UserFault(" ".join((*judged.problems.values(), *judged.missing.values())))
            added, at = list(self._book.kept), len(self._book.kept)
            if replacing:
                at = self._book.place_of(replacing)
                del added[at]
            added.insert(at, settings)
            known = self._book.by_name()
            touched = [one.name for one in (settings, known.get(replacing)) if one and one.key == "keyring"]
            back = await self._remember(touched)
            self._book.keep(added)
            note = await self._move_key(settings, key, replacing, back.keys)
            self._look_at(await self._settle(known, again=settings.name))
            return self._done(back, note)

    async def remove(self, name: str) -> Done:
        async with self._lock:
            at, kept, known = self._book.place_of(name), self._book.kept, self._book.by_name()
            back = await self._remember([name] if kept[at].key == "keyring" else [])
            self._book.keep((*kept[:at], *kept[at + 1 :]))
            note = await self._drop_key(name) if back.keys.get(name) is not None else ""
            await self._settle(known)
            return self._done(back, note)

    async def undo(self, change: int) -> None:
        async with self._lock:
            back, known = self._before, self._book.by_name()
            if back is None or change != self._changes:
                raise UserFault("This can't be taken back any more: something else was changed since.")
            self._book.keep(back.added)
            for name, key in back.keys.items():
                if key is not None:
                    await self._keys.keep(name, key)
                elif await self._keys.kept(name) is not None:
                    await self._drop_key(name)
            self._before = None
            self._look_at(await self._settle(known, again=next(iter(back.keys), "")))

    # ---- keys -------------------------------------------------------------------------------------------------------

    async def set_key(self, name: str, key: str) -> Done:
        async with self._lock:
            self._require_keyring(name)
            back = await self._remember([name])
            note = await self._keys.keep(name, key)
            self._look_at(await self._settle(self._book.by_name(), again=name))
            return self._done(back, note)

    async def forget_key(self, name: str) -> Done:
        async with self._lock:
            self._require_keyring(name)
            back = await self._remember([name])
            await self._keys.forget(name)
            await self._settle(self._book.by_name(), again=name)
            return self._done(back, "")

    async def keyring_obstacle(self) -> str:
        return await self._keys.obstacle()

    def is_set(self, variable: str) -> bool:
        return self._keys.is_set(variable)

    # ---- reaching them ----------------------------------------------------------------------------------------------

    async def examine(self, settings: UpstreamSettings, key: str = "", replacing: str = "") -> Examination:
        try:
            endpoint = Endpoint.from_settings(settings)
            used = key.strip() or await self._keys.find(settings, replacing)
        except UserFault as missing:
            return Examination("keyless", str(missing), at=time.time())
        return await self._examiner.examine(endpoint, used)

    async def check(self, name: str) -> Examination:
        settings = self.settings(name)
        if settings is None:
            raise UserFault(f"There is no endpoint {name!r} that could be asked.")
        self._checking.add(name)
        self._tell()
        try:
            # somebody may have put a key into the keyring, or unlocked it, since
            await self._keys.read((settings,))
            found = await self.examine(settings)
            if self.settings(name) == settings:
                self._learn(settings, found)
            return found
        finally:
            self._checking.discard(name)
            self._tell()

    def stop_checking(self, name: str) -> None:
        task = self._looking.pop(name, None)
        if task is not None:
            task.cancel()

    async def refresh_models(self) -> None:
        before = self._models.known()
        if await self._models.refresh() != before:
            self._tell()

    # ---- inside -----------------------------------------------------------------------------------------------------

    def _view(self, settings: UpstreamSettings, origin: EndpointOrigin) -> EndpointView:
        name = settings.name
        endpoint = next((one for one in self._routing.endpoints if one.name == name), None)
        key = key_choice(settings)
        if key == "environment" and settings.key == "keyring" and not self._keys.is_set(settings.key_env):
            key = "keyring"
        return EndpointView(
            name,
            origin,
            settings.wire,
            _address(settings),
            settings.models,
            endpoint.dialect.name if endpoint is not None else settings.dialect,
            key,
            settings.key_env,
            settings.key == "keyring",
            self._unfit.get(name) or self._keys.problem(name),
            endpoint is self._routing.default,
            name in self._checking,
            self._examined.get(name),
        )

    def _require_keyring(self, name: str) -> None:
        settings = self.settings(name)
        if settings is None or settings.key != "keyring":
            raise UserFault(f'The endpoint {name!r} does not take its key from the keyring (key = "keyring").')

    async def _remember(self, names: Iterable[str]) -> _Before:
        return _Before(self._book.kept, {name: await self._keys.kept(name) for name in names})

    def _done(self, before: _Before, note: str) -> Done:
        self._changes += 1
        self._before = before
        return Done(self._changes, note)

    async def _move_key(self, settings: UpstreamSettings, key: str, replacing: str, kept: dict[str, str | None]) -> str:
        """After a change: the key goes where it now belongs, and nowhere else. Returns what should be said of it."""
        wants, renamed = settings.key == "keyring", replacing not in ("", settings.name)
        old, notes = kept.get(replacing), list[str]()
        wanted = key.strip() or (old if renamed else None)
        if wants and wanted:
            notes.append(await self._keys.keep(settings.name, wanted))
        if old is not None and (renamed or not wants):
            notes.append(await self._drop_key(replacing))
        return " ".join(filter(None, notes))

    async def _drop_key(self, name: str) -> str:
        try:
            await self._keys.forget(name)
        except UserFault as fault:
            return str(fault)
        return ""

    async def _settle(self, before: dict[str, UpstreamSettings], again: str = "") -> list[str]:
        """Reads the keys of what has changed, then lets it answer. Returns what has changed."""
        now = self._book.by_name()
        changed = [name for name, one in now.items() if before.get(name) != one or name == again]
        gone = [name for name in before if name not in now]
        await self._keys.read([now[name] for name in changed])
        for name in (*changed, *gone):
            self._examined.pop(name, None)
            self._models.forget(name)
        for name in gone:
            self._keys.dismiss(name)
        self._route()
        self._tell()
        return changed

    def _route(self) -> None:
        endpoints, self._unfit = self._book.endpoints()
        if DEMO not in self._book.by_name():
            self._keys.admit(endpoints[-1])
        self._routing.replace(endpoints)

    def _look_at(self, names: Iterable[str]) -> None:
        """Finds out meanwhile what can be chosen there; a login at Google is asked for only by hand."""
        for name in names:
            settings = self.settings(name)
            if settings is not None and settings.vertex is None and not self._keys.problem(name):
                self.stop_checking(name)
                self._looking[name] = self._tasks.start(self._ask(name), f"asking {name} for its models")

    async def _ask(self, name: str) -> None:
        if self.settings(name) is not None:
            await self.check(name)

    def _learn(self, settings: UpstreamSettings, found: Examination) -> None:
        self._examined[settings.name] = found
        endpoint = next((one for one in self._routing.endpoints if one.name == settings.name), None)
        if endpoint is not None and found.works:
            self._models.learn(settings.name, tuple(model for model in found.models if endpoint.serves(model)))

    def _tell_missing(self, names: Iterable[str], fault: Fault) -> None:
        for name in names:
            if problem := self._keys.problem(name):
                fault(f"key of {name}", problem)
            elif name in self._unfit:
                fault(f"endpoint {name}", self._unfit[name])

    def _tell(self) -> None:
        self._bus.publish(EndpointsChanged(time.time()))


def _address(settings: UpstreamSettings) -> str:
    """Without what a careless hand may have put into it."""
    if settings.vertex is not None and not settings.base_url:
        return f"Vertex AI, project {settings.vertex.project}, {settings.vertex.location}"
    scheme, mark, rest = settings.base_url.partition("://")
    host, slash, path = rest.partition("/")
    bare = f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"
    return bare.partition("?")[0].partition("#")[0]
