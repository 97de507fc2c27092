"""The facts that `when` conditions of tools can ask for. Those about sources are the catalog's."""

import sys
from collections.abc import Mapping
from typing import cast

from callgate.core.catalog.when import Lookup, Value
from callgate.core.config.settings import Settings

_PLATFORMS = {"linux": "linux", "darwin": "mac", "win32": "windows"}
_CONFIG = "config."
_SECRET = frozenset({"server.token"})


def facts(settings: Settings, workspace_folders: int, platform: str = sys.platform) -> Lookup:
    """`workspaceFolderCount`, `platform` (linux, mac, windows), `isLinux` and so on, `config.<section>.<key>`."""
    system = _PLATFORMS.get(platform, platform)
    known: dict[str, Value] = {
        "workspaceFolderCount": workspace_folders,
        "platform": system,
        "isLinux": system == "linux",
        "isMac": system == "mac",
        "isWindows": system == "windows",
    }
    configured: dict[str, object] = settings.model_dump(by_alias=True)

    def lookup(key: str) -> Value | None:
        if key.startswith(_CONFIG):
            return _configured(configured, key.removeprefix(_CONFIG))
        return known.get(key)

    return lookup


def _configured(table: Mapping[str, object], path: str) -> Value | None:
    """A single value; a whole section, a list and a secret are none."""
    if path in _SECRET:
        return None
    value: object = table
    for step in path.split("."):
        value = cast(Mapping[str, object], value).get(step) if isinstance(value, Mapping) else None
    return value if isinstance(value, str | int | float | bool) else None
