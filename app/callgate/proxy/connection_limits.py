"""How much of the machine the connections of clients may take: files, bytes of headers, and time."""

from dataclasses import dataclass

from callgate.core.config.settings import ServerSettings

try:
    import resource
except ImportError:  # Windows: sockets are no files there, and there is no such limit
    resource = None

MOST_OPEN_FILES = 16_384
"""More is of no use; programs that are started for tools inherit the limit, and some try every number below it."""
MOST_CONNECTIONS = 4_096
_MOST_RESERVED = 256
"""Files kept for the journal, MCP servers, programs of tools and the window."""
_FEWEST = 8


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    connections: int = MOST_CONNECTIONS
    header_bytes: int = 64 * 1024
    header_seconds: float = 10.0
    body_seconds: float = 30.0
    keep_alive_seconds: float = 60.0

    @property
    def of_one_address(self) -> int:
        """Of a peer on the network. On loopback all programs share one address."""
        return max(_FEWEST, self.connections // 4)

    @property
    def of_one_process(self) -> int:
        """On loopback: one agent may have many streams, and must leave as many to all others."""
        return max(_FEWEST, self.connections // 2)

    @property
    def looked_up_from(self) -> int:
        """So many on loopback are served without a look at which process they belong to."""
        return self.of_one_process // 2


def limits_of(settings: ServerSettings) -> ConnectionLimits:
    """Raises the limit of open files as far as it may, and gives connections what it leaves."""
    room = connections_within(_open_files())
    return ConnectionLimits(
        min(settings.max_connections, 2 * room) if settings.max_connections else room,
        settings.max_header_kilobytes * 1024,
        settings.header_timeout_seconds,
        settings.body_timeout_seconds,
        settings.keep_alive_seconds,
    )


def connections_within(files: int) -> int:
    """Half of what is left: each connection may need another one to a provider."""
    reserve = max(files // 4, min(_MOST_RESERVED, files // 2))
    return max(_FEWEST, min(MOST_CONNECTIONS, (files - reserve) // 2))


def _open_files() -> int:
    if resource is None:
        return MOST_OPEN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # macOS refuses more than its own limit for a process
            return soft
        return wanted
    return MOST_OPEN_FILES if soft == resource.RLIM_INFINITY else soft
