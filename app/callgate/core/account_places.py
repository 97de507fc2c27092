"""Places that belong to the computer or to the person's account, and to no project: whoever writes there changes more
than a workspace. Pure; for agents whose workspace is not known. A place that is not named here may still be outside.
"""

import posixpath
import re
from typing import Final

_SYSTEM: Final = re.compile(
    r"/(bin|boot|dev|etc|lib|lib32|lib64|opt|proc|sbin|sys|usr|System|Library|Applications|private/etc)(/|$)"
    r"|[A-Za-z]:/(Windows|Program Files( \(x86\))?|ProgramData)(/|$)",
    re.IGNORECASE,
)
_ACCOUNT: Final = re.compile(
    r"(~[^/]*|/root|/home/[^/]+|/Users/[^/]+|[A-Za-z]:/Users/[^/]+)/(\.[^/]+|AppData|Library)(/|$)", re.IGNORECASE
)
"""What programs of the account read by themselves: start-up files, keys, settings."""
_HARMLESS: Final = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"})


def is_of_account(path: str) -> bool:
    plain = path.strip().replace("\\", "/")
    if plain.lower().startswith("file://"):
        plain = "/" + plain[7:].lstrip("/")
    plain = posixpath.normpath(plain.replace("${HOME}", "~").replace("$HOME", "~"))
    if plain in _HARMLESS:
        return False
    return plain.startswith("../") or plain == ".." or bool(_SYSTEM.match(plain) or _ACCOUNT.match(plain))
