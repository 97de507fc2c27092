"""Everything the person can see and do about endpoints: who answers, with whose key, whether they can be reached.

Part of the console; `EndpointsChanged` says when to look again. No key ever comes out of here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from callgate.core.config.endpoint_draft import DraftJudgement, EndpointDraft, KeyChoice
from callgate.core.config.settings import UpstreamSettings
from callgate.core.request import WireName

EndpointOrigin = Literal["config", "added", "demo"]
Outcome = Literal["reached", "unlisted", "refused", "keyless", "unreachable", "silent", "foreign", "failing"]
"""unlisted: it answers, but tells no models; keyless: its key is missing; foreign: it speaks otherwise."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What came of asking an endpoint for its models."""

    outcome: Outcome
    words: str
    """What happened, what it means and what to do."""
    models: tuple[str, ...] = ()
    """All that it lists."""
    served: int = 0
    """How many of them fit the patterns of the endpoint."""
    seconds: float = 0.0
    at: float = 0.0

    @property
    def works(self) -> bool:
        return self.outcome in ("reached", "unlisted")


@dataclass(frozen=True, slots=True)
class EndpointView:
    """An endpoint as it is now."""

    name: str
    origin: EndpointOrigin
    wires: tuple[WireName, ...]
    address: str
    """Where it is reached; there is no secret in it."""
    models: tuple[str, ...]
    """Globs: which models it answers for."""
    dialect: str = ""
    key: KeyChoice = "client"
    key_env: str = ""
    has_kept_key: bool = False
    """Whether the keyring is where its key comes from, so that one can be entered."""
    problem: str = ""
    """Why it can't be used, in words; empty = it can."""
    is_default: bool = False
    """Whether requests that name no model go there."""
    checking: bool = False
    examination: Examination | None = None
    """What came of the last check, as long as nothing has changed since."""

    @property
    def editable(self) -> bool:
        return self.origin == "added"


@dataclass(frozen=True, slots=True)
class Done:
    """Something was changed."""

    change: int
    """For `undo`."""
    note: str = ""
    """What the person should know of it."""


class EndpointService(Protocol):
    def endpoints(self) -> tuple[EndpointView, ...]:
        """All of them, in the order in which they are asked; the demo model is the last."""
        ...

    def endpoint(self, name: str) -> EndpointView | None: ...

    def problems(self) -> tuple[str, ...]:
        """What is wrong with the kept endpoints, in words."""
        ...

    def settings(self, name: str) -> UpstreamSettings | None:
        """As it was configured or added; None for the demo model."""
        ...

    def configuration(self, name: str) -> str:
        """As a table for `callgate.toml`."""
        ...

    def dialects(self) -> Sequence[str]: ...

    # ---- new ones ---------------------------------------------------------------------------------------------------

    def judge(self, draft: EndpointDraft, replacing: str = "") -> DraftJudgement:
        """What it comes to; `replacing`: the endpoint whose name may be used again."""
        ...

    def free_name(self, wanted: str) -> str:
        """The name, or the same with a number."""
        ...

    async def add(self, settings: UpstreamSettings, key: str = "", replacing: str = "") -> Done:
        """Keeps it, and it answers from now on; a key goes into the keyring. Raises `UserFault`."""
        ...

    async def remove(self, name: str) -> Done:
        """With its key. Raises `UserFault` where it is not ours to remove."""
        ...

    async def undo(self, change: int) -> None:
        """Takes a change back, as long as it is the last; raises `UserFault`."""
        ...

    # ---- keys -------------------------------------------------------------------------------------------------------

    async def set_key(self, name: str, key: str) -> Done:
        """For one that takes its key from the keyring; also for one of the configuration."""
        ...

    async def forget_key(self, name: str) -> Done: ...

    async def keyring_obstacle(self) -> str:
        """Why a key would be kept for this run only, in words; empty = there is a keyring."""
        ...

    def is_set(self, variable: str) -> bool:
        """Whether an environment variable holds anything."""
        ...

    # ---- reaching them ----------------------------------------------------------------------------------------------

    async def examine(self, settings: UpstreamSettings, key: str = "", replacing: str = "") -> Examination:
        """Asks for its models, with a bounded wait; `key` empty = the one that is kept. Cancelling ends it."""
        ...

    async def check(self, name: str) -> Examination:
        """The same for one that is there, with its key read again; its view remembers what came of it."""
        ...

    def stop_checking(self, name: str) -> None:
        """A check that began by itself, as after a change."""
        ...

    async def refresh_models(self) -> None:
        """Asks all that can be asked, so that their models can be chosen."""
        ...
