"""Where a server is and how it is reached, with every placeholder filled in."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from callgate.core.config.settings import SourceSettings
from callgate.core.errors import UserFault
from callgate.tools.mcp_source.placeholders import Placeholders
from callgate.tools.process.environment import server_environment

HttpKind = Literal["http", "sse"]


@dataclass(frozen=True, slots=True)
class CommandTarget:
    argv: tuple[str, ...]
    env: Mapping[str, str]
    """All of it: nothing else is inherited."""
    cwd: Path


@dataclass(frozen=True, slots=True)
class UrlTarget:
    url: str
    headers: Mapping[str, str]
    kinds: tuple[HttpKind, ...]
    """In the order in which to try them."""

    @property
    def is_signed(self) -> bool:
        """Whether the configuration itself says who is asking: then nobody is sent to log in."""
        return any(name.lower() == "authorization" for name in self.headers)


Target = CommandTarget | UrlTarget


async def find_target(
    settings: SourceSettings, workspace: Path, environment: Mapping[str, str], placeholders: Placeholders
) -> Target:
    """Raises `UserFault` where the configuration can't be made to work."""
    if settings.command:
        env = server_environment(environment)
        if settings.env_file:
            path = workspace / await placeholders.fill(settings.env_file)
            env |= await _read_env_file(path)
        env |= await placeholders.fill_all(settings.env)
        argv = tuple([await placeholders.fill(word) for word in settings.command])
        return CommandTarget(argv, env, workspace / await placeholders.fill(settings.cwd))
    url = await placeholders.fill(settings.url)
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
        raise UserFault(f"'{url}' is not an http or https address.")
    kinds: tuple[HttpKind, ...] = ("sse",) if settings.transport == "sse" else ("http",)
    if not settings.transport:
        kinds = ("http", "sse")
    return UrlTarget(url, await placeholders.fill_all(settings.headers), kinds)


def parse_env_file(text: str) -> dict[str, str]:
    """`NAME=value` lines; `#` begins a comment line, `export` and one pair of quotes are taken off."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        name, found, value = line.strip().removeprefix("export ").partition("=")
        if not found or name.startswith("#"):
            continue
        value = value.strip()
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        values[name.strip()] = value
    return values


async def _read_env_file(path: Path) -> dict[str, str]:
    try:
        return parse_env_file(await asyncio.to_thread(path.read_text, "utf-8"))
    except (OSError, UnicodeDecodeError) as bad:
        raise UserFault(f"The environment file {path} can't be read: {bad}.") from bad
