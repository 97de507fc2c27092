"""Which endpoints there are: those of the configuration, those that were added, and the demo model. Asks nobody."""

from collections.abc import Sequence

from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import UserFault
from callgate.store.files.endpoint_file import EndpointFile
from callgate.upstream.demo.model import DEMO_MODEL, demo_endpoint
from callgate.upstream.endpoint import Endpoint

DEMO = "demo"


class EndpointBook:
    """What the configuration says wins over what was added under the same name."""

    def __init__(self, configured: Sequence[UpstreamSettings], file: EndpointFile) -> None:
        """Raises `UserFault` for what is wrong in the configuration."""
        self._file = file
        self.configure(configured)

    def configure(self, configured: Sequence[UpstreamSettings]) -> None:
        """Raises `UserFault`, and nothing has changed then."""
        self._made = [Endpoint.from_settings(settings) for settings in configured]
        self.configured = tuple(configured)

    @property
    def added(self) -> tuple[UpstreamSettings, ...]:
        """Those of them that count."""
        own = {settings.name for settings in self.configured}
        return tuple(one for one in self._file.endpoints if one.name not in own)

    @property
    def kept(self) -> tuple[UpstreamSettings, ...]:
        """All that were added."""
        return self._file.endpoints

    def keep(self, added: Sequence[UpstreamSettings]) -> None:
        """Raises `UserFault` where they can't be written down; nothing has changed then."""
        self._file.save(added)

    def read_again(self) -> None:
        """Takes what was added as it counts now. Raises `UserFault`, and nothing has changed then."""
        self._file.read_again()

    def by_name(self) -> dict[str, UpstreamSettings]:
        """In the order in which they are asked."""
        return {settings.name: settings for settings in (*self.configured, *self.added)}

    def names(self) -> frozenset[str]:
        """That nobody else may have."""
        return frozenset({DEMO, *(one.name for one in self.configured), *(one.name for one in self.kept)})

    def place_of(self, name: str) -> int:
        """Where it stands among those that were added; raises `UserFault` where it is not ours to change."""
        if any(one.name == name for one in self.configured):
            raise UserFault(f"{name} stands in the configuration file: change it there.")
        at = next((at for at, one in enumerate(self.kept) if one.name == name), None)
        if at is None:
            raise UserFault(f"There is no endpoint {name!r} that could be changed.")
        return at

    def problems(self) -> tuple[str, ...]:
        """What is wrong with those that were added, in words."""
        own = {settings.name for settings in self.configured}
        twice = [
            f"The endpoint {one.name!r} was added in the window, but the configuration file has one of that name too, "
            "which counts. Rename one of them."
            for one in self.kept
            if one.name in own
        ]
        return (*self._file.problems, *twice)

    def endpoints(self) -> tuple[list[Endpoint], dict[str, str]]:
        """All that can answer, and why others can't."""
        able, unfit = list(self._made), dict[str, str]()
        for settings in self.added:
            try:
                able.append(Endpoint.from_settings(settings))
            except UserFault as problem:
                unfit[settings.name] = str(problem)
        if DEMO not in self.by_name():
            # alone it answers every model's name, so that any client works offline; beside others only its own, and
            # beside one that can't be read too: it must not speak for a provider that somebody counts on
            alone = not able and not unfit and not self._file.has_unreadable
            able.append(demo_endpoint() if alone else demo_endpoint((DEMO_MODEL,)))
        return able, unfit
