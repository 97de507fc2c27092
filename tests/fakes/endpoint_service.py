"""An endpoint desk without endpoints: views to fill, real judgement, and a record of what the person did."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from callgate.core.config.endpoint_draft import DraftJudgement, EndpointDraft, Surroundings, judge, key_choice
from callgate.core.config.endpoint_text import endpoint_toml
from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import UserFault
from callgate.engine.endpoints.endpoint_service import Done, EndpointView, Examination

DEMO = EndpointView("demo", "demo", ("openai-chat",), "", ("callgate-demo", "*"), is_default=True)


@dataclass(eq=False)
class FakeEndpointService:
    """Implements `EndpointService`."""

    views: dict[str, EndpointView] = field(default_factory=lambda: {"demo": DEMO})
    known: dict[str, UpstreamSettings] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    """What is wrong with the kept ones."""
    obstacle: str = ""
    """Why there is no keyring."""
    variables: frozenset[str] = frozenset()
    finding: Examination = Examination("reached", "It answers and has 2 models.", ("small", "large"), 2)
    slow: asyncio.Event | None = None
    """If set, an examination waits for it."""
    done: list[tuple[str, ...]] = field(default_factory=list)
    """Every verb with what it was about."""
    keys: dict[str, str] = field(default_factory=dict)
    note: str = ""
    fault: str = ""
    """If set, every verb is refused with it."""

    def show(self, *views: EndpointView) -> None:
        """Before those that are there already; one of the same name takes its place."""
        fresh = {view.name: view for view in views}
        kept = {name: fresh.pop(name, view) for name, view in self.views.items()}
        self.views = {**fresh, **kept}

    def endpoints(self) -> tuple[EndpointView, ...]:
        return tuple(self.views.values())

    def endpoint(self, name: str) -> EndpointView | None:
        return self.views.get(name)

    def problems(self) -> tuple[str, ...]:
        return self.said

    def settings(self, name: str) -> UpstreamSettings | None:
        return self.known.get(name)

    def configuration(self, name: str) -> str:
        if name not in self.known:
            raise UserFault("It has no configuration.")
        return endpoint_toml(self.known[name])

    def dialects(self) -> Sequence[str]:
        return ("ollama", "llama.cpp", "lmstudio", "vllm", "openrouter", "deepseek")

    def judge(self, draft: EndpointDraft, replacing: str = "") -> DraftJudgement:
        return judge(
            draft,
            Surroundings(
                set(self.views) - {replacing}, self.dialects(), "http://127.0.0.1:8080", ("anthropic", "gemini")
            ),
        )

    def free_name(self, wanted: str) -> str:
        return wanted if wanted not in self.views else f"{wanted}-2"

    def _do(self, *words: str) -> Done:
        if self.fault:
            raise UserFault(self.fault)
        self.done.append(words)
        return Done(len(self.done), self.note)

    async def add(self, settings: UpstreamSettings, key: str = "", replacing: str = "") -> Done:
        done = self._do("add", settings.name, replacing)
        self.known.pop(replacing, None)
        self.views.pop(replacing, None)
        if key:
            self.keys[settings.name] = key
        self.known[settings.name] = settings
        self.show(
            EndpointView(
                settings.name,
                "added",
                settings.wire,
                settings.base_url,
                settings.models,
                key=key_choice(settings),
                key_env=settings.key_env,
                has_kept_key=settings.key == "keyring",
            )
        )
        return done

    async def remove(self, name: str) -> Done:
        done = self._do("remove", name)
        del self.views[name]
        return done

    async def undo(self, change: int) -> None:
        self._do("undo", str(change))

    async def set_key(self, name: str, key: str) -> Done:
        self.keys[name] = key
        return self._do("set_key", name)

    async def forget_key(self, name: str) -> Done:
        return self._do("forget_key", name)

    async def keyring_obstacle(self) -> str:
        return self.obstacle

    def is_set(self, variable: str) -> bool:
        return variable in self.variables

    async def examine(self, settings: UpstreamSettings, key: str = "", replacing: str = "") -> Examination:
        self._do("examine", settings.name, key)
        if self.slow is not None:
            await self.slow.wait()
        return self.finding

    async def check(self, name: str) -> Examination:
        self._do("check", name)
        if self.slow is not None:
            await self.slow.wait()
        return self.finding

    def stop_checking(self, name: str) -> None:
        self._do("stop_checking", name)

    async def refresh_models(self) -> None:
        self._do("refresh_models")
