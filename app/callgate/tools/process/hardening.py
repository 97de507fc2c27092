"""This process's own environment and memory, out of reach of programs that run as the same user.

`/proc/PID/environ` shows the block of memory in which the environment was handed over, whatever was unset since. So
entries are overwritten there, as servers do that change their title, and live on the heap or not at all. What looks
like a key leaves `os.environ` too: a browser or a helper that some library starts inherits that.
"""

import ctypes
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Final

from callgate.tools.process.environment import is_harmless, looks_secret

log = logging.getLogger(__name__)

PR_GET_DUMPABLE: Final = 3
PR_SET_DUMPABLE: Final = 4
_ENV_START: Final = 49
_ENV_END: Final = 50
"""Fields of `/proc/self/stat`, counted from 0."""
_FOR_LOADERS: Final = ("LD_", "DYLD_", "PYTHON", "QT_", "QML", "_PYI_", "_MEIPASS", "MALLOC_", "GLIBC_", "ASAN_")
"""Read once by the C library or Qt, perhaps through a pointer into the block: these stay where they are."""
_PROXIES: Final = frozenset({"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
"""httpx asks `os.environ` for them, so that they stay there even with a password in the address."""


def withdraw_secrets(
    environ: MutableMapping[str, str] = os.environ, wipe: Callable[[Callable[[str], bool]], bool] | None = None
) -> Mapping[str, str]:
    """Takes keys out of this process's environment; returns all of it as it was, to be kept in memory only."""
    whole = dict(environ)
    for name, value in whole.items():
        if looks_secret(name, value) and name.upper() not in _PROXIES:
            del environ[name]
    stays = {name for name in environ if _stays(name, environ[name])}
    for name in environ:
        if name not in stays:
            environ[name] = environ[name]  # a copy of its own: what lies in the block is about to be overwritten
    (wipe or _wipe_block)(lambda name: name not in stays)
    return whole


def withdraw(name: str, environ: MutableMapping[str, str] = os.environ) -> None:
    """A variable that has turned out to hold a key, as a configuration names it."""
    if not is_harmless(name):
        environ.pop(name, None)


def forbid_reading() -> bool:
    """No other process of this user can read this one's memory, environment or descriptors, or attach a debugger.

    False where the system has no such thing (all but Linux). Programs that are started from here are as usual again.
    """
    if sys.platform != "linux":
        return False
    return ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0


def _stays(name: str, value: str) -> bool:
    return (is_harmless(name) or name.startswith(_FOR_LOADERS)) and not looks_secret(name, value)


def _wipe_block(unwanted: Callable[[str], bool]) -> bool:
    """Overwrites entries in the block that the kernel shows; False where there is none, or it can't be found."""
    if sys.platform != "linux":
        return False
    try:
        shown = Path("/proc/self/environ").read_bytes()
        fields = Path("/proc/self/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        # the two fields before the name's closing bracket are cut off
        start, end = int(fields[_ENV_START - 2]), int(fields[_ENV_END - 2])
    except (OSError, ValueError, IndexError) as problem:
        log.warning("keys cannot be taken out of /proc/self/environ: %s", problem)
        return False
    if not start or len(shown) != end - start or ctypes.string_at(start, end - start) != shown:
        log.warning("keys cannot be taken out of /proc/self/environ: it does not lie where the system says")
        return False
    for name, at, size in _entries(shown):
        if unwanted(name):
            ctypes.memset(start + at, 0, size)
    return True


def _entries(block: bytes) -> Iterator[tuple[str, int, int]]:
    """Each variable's name, where it begins, and how long it is."""
    at = 0
    for entry in block.split(b"\0"):
        if entry:
            yield os.fsdecode(entry.partition(b"=")[0]), at, len(entry)
        at += len(entry) + 1
