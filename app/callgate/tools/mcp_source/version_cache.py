"""Which MCP era each server was last found to speak, kept between runs: asking a silent older one takes ten seconds."""

from callgate.core.config.settings import Era, SourceSettings
from callgate.core.errors import UserFault
from callgate.tools.memory import Memory


class VersionCache:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        kept = memory.read()
        self._eras: dict[str, Era] = {}
        for server, era in kept.items() if isinstance(kept, dict) else ():
            if era in ("legacy", "modern"):
                self._eras[server] = "legacy" if era == "legacy" else "modern"

    def era_of(self, settings: SourceSettings) -> Era:
        """Empty = not known; what the configuration says is not looked at here."""
        return self._eras.get(_server(settings), "")

    def remember(self, settings: SourceSettings, era: Era) -> None:
        """A memory that can't be written costs the next start a question, nothing else."""
        if not era or self._eras.get(_server(settings)) == era:
            return
        self._eras[_server(settings)] = era
        try:
            self._memory.write(dict(self._eras))
        except UserFault:
            return


def _server(settings: SourceSettings) -> str:
    """What makes it another server under the same name: its command or address, never its arguments' secrets."""
    return f"{settings.name} {settings.url or settings.command[0]}"
