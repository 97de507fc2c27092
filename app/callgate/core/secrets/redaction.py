"""Taking out of a text what must not leave the machine: keys, tokens, passwords; if wanted also e-mail and home paths.

Pure. What a secret looks like stands in `core.secrets`, the same for the journal and for exports. What is taken out is
counted, so that a person can see what was found.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from callgate.core.messages import Json
from callgate.core.secrets.finding import Found, holds_secret, replace_secrets
from callgate.core.secrets.names import is_secret_header

Head = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RedactionChoice:
    """What is taken out; none of it = the text stays as it is."""

    secrets: bool = True
    home_paths: bool = False
    emails: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    name: str
    """What a person is told was found."""
    finds: re.Pattern[str]
    mark: str = ""


EMAIL: Final = Pattern(
    "e-mail address",
    re.compile(
        r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*\.[A-Za-z]{2,24}\b"
    ),
)
HOME: Final = Pattern(
    "home path",
    re.compile(
        r"(?<![A-Za-z0-9.])(?:/(?:home|Users)/[^/\s\"'\\:*?<>|]+|[A-Za-z]:(?:\\{1,4}|/)Users(?:\\{1,4}|/)[^/\s\"'\\:*?<>|]+)"
    ),
    mark="~",
)
_REDACTED: Final = re.compile(r"\[redacted [a-z-]+(?: [a-z]+)?\]")


class Redactor:
    """Takes out what was chosen, and counts it by kind in `counts`."""

    def __init__(self, choice: RedactionChoice) -> None:
        self.counts: Counter[str] = Counter()
        self._secrets = choice.secrets
        self._patterns = (
            *((EMAIL,) if choice.emails else ()),
            *((HOME,) if choice.home_paths else ()),
        )

    @property
    def is_idle(self) -> bool:
        """True: nothing was chosen."""
        return not self._secrets and not self._patterns

    def text(self, text: str) -> str:
        if self._secrets:
            data = text.encode("utf-8", "surrogatepass")
            clean = replace_secrets(data, self._marked)
            text = text if clean is data else clean.decode("utf-8", "surrogatepass")
        for pattern in self._patterns:
            text, found = pattern.finds.subn(pattern.mark or f"[redacted {pattern.name}]", text)
            if found:
                self.counts[pattern.name] += found
        return text

    def head(self, head: Head) -> Head:
        """Header lines; the values of those that are secret by name go whole."""
        return tuple((name, self._header(name, value)) for name, value in head)

    def json(self, value: Json) -> Json:
        """A JSON value, keys included; what stands under a key such as `api_key` goes whole."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.json(item) for item in value]
            case dict():
                return {self.text(key): self._under(key, item) for key, item in value.items()}
            case _:
                return value

    def mapping(self, value: Mapping[str, Json]) -> dict[str, Json]:
        return cast(dict[str, Json], self.json(dict(value)))

    def _under(self, key: str, value: Json) -> Json:
        if self._secrets and isinstance(value, str) and holds_secret(key, value) and _REDACTED.search(value) is None:
            return self._gone("named secret")
        return self.json(value)

    def _header(self, name: str, value: str) -> str:
        if self._secrets and is_secret_header(name) and value:
            return self._gone("header")
        return self.text(value)

    def _marked(self, found: Found, secret: bytes) -> bytes:
        return self._gone(found.kind).encode()

    def _gone(self, name: str) -> str:
        self.counts[name] += 1
        return f"[redacted {name}]"
