"""Taking out of a text what must not leave the machine: keys, tokens, passwords; if wanted also e-mail and home paths.

Pure. Unlike `masking`, which hides what stands where secrets are known to stand, this looks everywhere, since an
export also holds what people and tools said. What it takes out it counts, so that a person can see what was found.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from callgate.core.masking import SECRET_HEADERS
from callgate.core.messages import Json

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
    keeps: Callable[[re.Match[str]], tuple[str, str]] = lambda _: ("", "")
    """What of the match stays, before and after the mark."""
    mark: str = ""


def _before(found: re.Match[str]) -> tuple[str, str]:
    return found[1], ""


def _around(found: re.Match[str]) -> tuple[str, str]:
    return found[1], found[2]


_SECRET_NAME: Final = (
    r"(?:[A-Za-z0-9_-]{0,40}(?:api[_-]?key|secret|secret[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token"
    r"|access[_-]?token|refresh[_-]?token|session[_-]?token|id[_-]?token|client[_-]?secret|password|passwd|passphrase)"
    r"|[A-Z0-9_]{0,40}(?:_KEY|_TOKEN|_SECRET|_PASSWORD|_PASS))"
)
_QUOTE: Final = r"(?:\\{0,3}[\"'])?"
"""A quote, or one that stands inside another string."""

SECRET_PATTERNS: Final[tuple[Pattern, ...]] = (
    Pattern(
        "private key",
        re.compile(
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|\Z)",
            re.S,
        ),
    ),
    Pattern(
        "header",
        re.compile(
            r"(?i)(?<![A-Za-z0-9-])((?:"
            + "|".join(sorted(map(re.escape, SECRET_HEADERS), key=len, reverse=True))
            + rf"){_QUOTE}\s*[:=]\s*{_QUOTE}(?:(?:bearer|basic|digest|token)\s+)?)"
            r"(?!\[redacted|(?:bearer|basic|digest|token)\s)[^\s\"'\\,;]{4,}"
        ),
        _before,
    ),
    Pattern("token", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,3}")),
    Pattern("token", re.compile(r"(?i)\b((?:bearer|basic)\s+)(?!\[redacted)[A-Za-z0-9._~+/=-]{16,}"), _before),
    Pattern(
        "key",
        re.compile(
            r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{8,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}"
            r"|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}|GOCSPX-[A-Za-z0-9_-]{16,}"
            r"|(?:gsk|hf|ghp|gho|ghu|ghs|ghr|npm|pypi|github_pat|glpat|dop_v1|shpat|lin_api|tvly)[_-][A-Za-z0-9_-]{16,}"
            r"|cg_[A-Za-z0-9_-]{40,}|xai-[A-Za-z0-9]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"
            r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9]))"
        ),
    ),
    Pattern(
        "address parameter",
        re.compile(
            r"(?i)([?&](?:key|api[_-]?key|access_token|token|sig|signature|password|secret)=)(?!\[redacted)[^&\s\"'<>#\\]+"
        ),
        _before,
    ),
    Pattern(
        "password",
        re.compile(r"\b([a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'\\]{0,100}:)[^\s/@\"'\\]{1,200}(@)"),
        _around,
    ),
    Pattern(
        "named secret",
        # a digit is asked for: `token = get_token()` is code, `"password": "string"` a schema
        re.compile(
            rf"(?<![A-Za-z0-9_-])({_SECRET_NAME}{_QUOTE}\s*[:=]\s*{_QUOTE})"
            r"(?!\[redacted)(?=[^\s\"'\\,;(){}\[\]<>]{0,200}\d)[^\s\"'\\,;(){}\[\]<>]{6,}",
        ),
        _before,
    ),
)
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
_SECRET_KEY: Final = re.compile(rf"(?i){_SECRET_NAME}\Z")


class Redactor:
    """Takes out what was chosen, and counts it by kind in `counts`."""

    def __init__(self, choice: RedactionChoice) -> None:
        self.counts: Counter[str] = Counter()
        self._secrets = choice.secrets
        self._patterns = (
            *(SECRET_PATTERNS if choice.secrets else ()),
            *((EMAIL,) if choice.emails else ()),
            *((HOME,) if choice.home_paths else ()),
        )

    @property
    def is_idle(self) -> bool:
        """True: nothing was chosen."""
        return not self._patterns

    def text(self, text: str) -> str:
        for pattern in self._patterns:
            text, found = pattern.finds.subn(lambda match, pattern=pattern: _marked(pattern, match), text)
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
        if (
            self._secrets
            and isinstance(value, str)
            and value
            and _SECRET_KEY.match(key)
            and any(map(str.isdigit, value))
        ):
            return self._gone("named secret")
        return self.json(value)

    def _header(self, name: str, value: str) -> str:
        if self._secrets and name.strip().lower() in SECRET_HEADERS and value:
            return self._gone("header")
        return self.text(value)

    def _gone(self, name: str) -> str:
        self.counts[name] += 1
        return f"[redacted {name}]"


def _marked(pattern: Pattern, match: re.Match[str]) -> str:
    before, after = pattern.keeps(match)
    return f"{before}{pattern.mark or f'[redacted {pattern.name}]'}{after}"
