"""Keys of endpoints from a terminal, for who has no window: into the system's keyring and out of it, into no file."""

import getpass
import json
import sys

from callgate.core.config.endpoint_draft import key_problem
from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import UserFault
from callgate.runtime.build_endpoints import FILE_NAME, added_endpoints
from callgate.runtime.runtime import Launch
from callgate.store.files.config_file import find_config, read_config
from callgate.store.secrets import Secrets

LONGEST = 64 * 1024
"""Of what is read from a pipe: far above any key."""


def asked(name: str) -> str:
    """The key, typed unseen or read from a pipe. Raises `UserFault`."""
    if not sys.stdin.isatty():
        return sys.stdin.read(LONGEST).strip()
    try:
        return getpass.getpass(f"Key of {name} (it is not shown): ").strip()
    except EOFError as ended:
        raise UserFault("No key was given.") from ended


def set_key(launch: Launch, name: str, key: str, secrets: Secrets | None = None) -> str:
    """Keeps it; returns what to say. Raises `UserFault`."""
    if problem := key_problem(key):
        raise UserFault(problem)
    known = _known(launch)
    (secrets or Secrets()).store(name, key)
    return f"The key of {name} is in the keyring. {_advice(name, known)}"


def forget_key(name: str, secrets: Secrets | None = None) -> str:
    (secrets or Secrets()).forget(name)
    return f"The keyring has no key of {name} any more."


def _advice(name: str, known: dict[str, UpstreamSettings]) -> str:
    settings = known.get(name)
    if settings is None:
        return f"But no endpoint of that name is configured; known are: {', '.join(sorted(known)) or 'none'}."
    if settings.key != "keyring":
        return f'But {name} does not take it from there: give it key = "keyring".'
    return "A Callgate that is running reads it when it starts again, or with Check on its page Endpoints."


def _known(launch: Launch) -> dict[str, UpstreamSettings]:
    """Of the configuration, and of those that were added in the window."""
    configured = read_config(find_config(launch.config)).upstreams
    file = launch.data_folder / FILE_NAME
    try:
        json.loads(file.read_bytes())
    except (OSError, ValueError):
        added = ()  # a broken file is moved aside by the program that can show it, not by a look from here
    else:
        added = added_endpoints(launch.data_folder).endpoints
    return {settings.name: settings for settings in (*added, *configured)}
