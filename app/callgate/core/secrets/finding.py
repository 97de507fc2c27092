"""Finding secrets in text of any kind: JSON at any depth of quoting, headers, addresses, shell, source code. Pure.

Works on bytes, as captured streams are bytes and UTF-8 keeps everything that is looked for in ASCII. What is found is
only the secret itself, never the name, a quote or half an escape, so that JSON stays JSON when it is replaced.

Literal beginnings are searched first, which is fast; only there is looked closer. Every repetition is bounded.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from callgate.core.secrets.names import is_secret_header, looks_random, strength_of

Kind = Literal["private key", "token", "key", "password", "header", "address parameter", "named secret"]


@dataclass(frozen=True, slots=True, order=True)
class Found:
    start: int
    end: int
    kind: Kind
    shown: bytes = b""
    """What of its beginning tells whose key it is and is the same for all of them: `sk-ant-`."""
    context: int = -1
    """Where the name begins that gave it away; -1 = it was known by itself."""

    @property
    def told_from(self) -> int:
        """Where a text must begin for it to be found."""
        return self.start if self.context < 0 else min(self.context, self.start)


@dataclass(frozen=True, slots=True)
class _Shape:
    kind: Kind
    literals: tuple[bytes, ...]
    """In lower case."""
    finds: re.Pattern[bytes]
    """Group 1, where there is one, is the secret; else all of it."""
    bounded: bool = True
    """Whether a letter or digit before it means that it is the middle of something else."""


def _shape(kind: Kind, literals: str, pattern: str, *, bounded: bool = True, flags: int = 0) -> _Shape:
    return _Shape(kind, tuple(literals.encode().split(b"|")), re.compile(pattern.encode(), re.ASCII | flags), bounded)


_SHAPES: Final = (
    _shape(
        "private key",
        "-----begin ",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[A-Za-z0-9+/=:, \t\r\n]|\\{1,8}[nrt/]|-(?!----)){0,20000}"
        r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?",
        bounded=False,
    ),
    _shape("token", "eyj", r"eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,16000}(?:\.[A-Za-z0-9_-]{0,4000}){1,3}"),
    _shape(
        "key",
        "sk-",
        r"sk-(?:(?:ant|proj|or|svcacct|admin|lf|litellm)-[A-Za-z0-9_-]{8,400}"
        r"|(?=[A-Za-z_-]{0,100}[0-9])[A-Za-z0-9_-]{16,400}|[A-Za-z0-9]{16,400})",
    ),
    _shape("key", "sk_|rk_|pk_", r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,400}"),
    _shape("key", "whsec_", r"whsec_[A-Za-z0-9+/=]{16,400}"),
    _shape("key", "aiza", r"AIza[A-Za-z0-9_-]{30,100}"),
    _shape("key", "ya29.", r"ya29\.[A-Za-z0-9_-]{16,4000}"),
    _shape("key", "gocspx-", r"GOCSPX-[A-Za-z0-9_-]{16,100}"),
    _shape("key", "ghp_|gho_|ghu_|ghs_|ghr_", r"gh[pousr]_[A-Za-z0-9]{16,400}"),
    _shape("key", "github_pat_", r"github_pat_[A-Za-z0-9_]{16,400}"),
    _shape("key", "glpat-", r"glpat-[A-Za-z0-9_.-]{16,400}"),
    _shape("key", "gsk_|hf_", r"(?:gsk|hf)_[A-Za-z0-9]{20,400}"),
    _shape("key", "npm_", r"npm_[A-Za-z0-9]{30,100}"),
    _shape("key", "pypi-", r"pypi-(?:AgE|AgEN)[A-Za-z0-9_-]{30,1000}"),
    _shape("key", "dop_v1_|shpat_|lin_api_", r"(?:dop_v1|shpat|lin_api)_[A-Za-z0-9]{16,400}"),
    _shape("key", "tvly-|xai-|pplx-|csk-", r"(?:tvly|xai|pplx|csk)-(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{16,400}"),
    _shape("key", "xox", r"xox[abeprs]-[A-Za-z0-9-]{10,400}"),
    _shape("key", "sg.", r"SG\.[A-Za-z0-9_-]{16,100}\.[A-Za-z0-9_-]{16,100}"),
    _shape("key", "akia|asia", r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _shape("key", "cg_", r"cg_[A-Za-z0-9_-]{20,400}"),
    _shape("token", "bearer", r"bearer\s{1,4}([A-Za-z0-9._~+/=-]{16,16000})", flags=re.IGNORECASE),
    _shape("token", "basic", r"basic\s{1,4}((?=[A-Za-z+/]{0,400}[0-9=])[A-Za-z0-9+/]{12,4000}={0,2})", flags=re.I),
    _shape("password", "://", r"://[^\s/:@\"'\\]{0,100}:([^\s/@\"'\\]{1,200})@", bounded=False),
)
_NAME_PARTS: Final = (
    *(b"key", b"token", b"secret", b"pass", b"pw", b"auth", b"cookie", b"cred", b"mnemonic", b"jwt"),
    *(b"signature=", b"sig=", b"otp", b"dsn"),
)
"""Every name that `strength_of` knows has one of these in it."""
_NAME_BYTES: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
_LONGEST_NAME: Final = 64
_LONGEST_VALUE: Final = 20_000
_REST_OF_NAME: Final = re.compile(rb"[A-Za-z0-9_-]{0,40}")
_SEPARATOR: Final = re.compile(
    rb"(?P<close>\\{0,7}[\"'])?(?:\s{0,8}(?P<sign>[:=])\s{0,8}"
    rb"|\s{0,8},\s{0,8}\\{0,7}[\"'](?i:value)\\{0,7}[\"']\s{0,8}:\s{0,8}"
    rb"|\s{0,4},\s{0,4}(?=b?\\{0,7}[\"']))(?:b(?=[\"']))?(?P<open>\\{0,7}[\"'])?(?P<scheme>(?i:bearer|basic|digest|token)\s{1,4})?"
)
_ESCAPE: Final = re.compile(rb"\\(?:[nrtbf]|u[0-9a-fA-F]{4})\Z|\[[0-9;]{1,8}m\Z")
"""What ends in a letter or digit and is not part of the word that follows: `\\n`, `\\u001b`, a colour."""
_PLAIN: Final = re.compile(rb"[^\s\"'\\,;(){}\[\]<>&|`]{4,512}")
_LINE: Final = re.compile(rb"[^\r\n\"'\\]{4,4000}")
_PARAMETER: Final = re.compile(rb"[^&\s\"'<>#\\]{1,2000}")
_DIGIT: Final = re.compile(r"[0-9]")
_AFTER_NAME: Final = frozenset(b"\"'\\ \t\r\n:=,")
_RUN: Final = re.compile(rb"(\\{0,64})([\"'])")
_PLACEHOLDER: Final = re.compile(
    rb"\$|\{\{|<|%|\*{3}|\xc2\xab|\[redacted|\xe2\x80\xa6|x{3,}\Z|your[-_ ]"
    rb"|(?i:changeme|example|placeholder|null|none|true|false)\Z"
)
_TYPES: Final = frozenset(
    b"string number integer boolean object array null none true false any optional required text str int password "
    b"token secret key bearer basic header cookie query body oauth oauth2 apikey api_key http auto user env keyring "
    b"file prompt hidden omit include same-origin".split()
)
"""Words that stand where a secret might and say what kind of value belongs there."""


_STEP: Final = 4 * 1024 * 1024
"""Bytes that one call into C looks through: no other thread gets its turn before it ends."""


def find_secrets(data: bytes) -> list[Found]:
    """In order, none within another."""
    lowered = b"".join(data[start : start + _STEP].lower() for start in range(0, len(data), _STEP))
    found = sorted((*_by_shape(data, lowered), *_by_name(data, lowered)))
    kept: list[Found] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end > kept[-1].end:
            kept[-1] = replace(kept[-1], end=one.end, shown=b"", context=min(kept[-1].told_from, one.told_from))
    return kept


def replace_secrets(data: bytes, mark: Callable[[Found, bytes], bytes], found: Iterable[Found] | None = None) -> bytes:
    """The data with a mark in place of each secret; the same object where there is none."""
    pieces: list[bytes] = []
    end = 0
    for one in find_secrets(data) if found is None else found:
        pieces += (data[end : one.start], mark(one, data[one.start : one.end]))
        end = one.end
    return b"".join((*pieces, data[end:])) if pieces else data


def places(haystack: bytes, needle: bytes) -> Iterator[int]:
    for start in range(0, len(haystack), _STEP):
        end = start + _STEP + len(needle) - 1
        at = haystack.find(needle, start, end)
        while at >= 0:
            yield at
            at = haystack.find(needle, at + 1, end)


# ---- by shape ------------------------------------------------------------------------------------------------------


def _by_shape(data: bytes, lowered: bytes) -> Iterator[Found]:
    for shape in _SHAPES:
        for literal in shape.literals:
            end = 0
            for at in places(lowered, literal):
                if at < end or (shape.bounded and not _begins(data, at)):
                    continue
                match = shape.finds.match(data, at)
                if match is None:
                    continue
                group = 1 if shape.finds.groups else 0
                end = match.end(group)
                if _PLACEHOLDER.match(data, match.start(group)) is None:
                    shown = b"" if group else data[at : at + len(literal)]
                    yield Found(match.start(group), end, shape.kind, shown, at)


def _begins(data: bytes, at: int) -> bool:
    """Whether a word begins here."""
    if at == 0 or data[at - 1] not in _NAME_BYTES or data[at - 1] == 0x2E:
        return True
    return _ESCAPE.search(data, max(at - 10, 0), at) is not None


# ---- by name -------------------------------------------------------------------------------------------------------


def _by_name(data: bytes, lowered: bytes) -> Iterator[Found]:
    seen: set[int] = set()
    for part in _NAME_PARTS:
        covered = 0
        for at in places(lowered, part):
            end = at + len(part) - 1 if part.endswith(b"=") else _rest(data, at + len(part))
            if at < covered or end >= len(data) or data[end] not in _AFTER_NAME or end in seen:
                continue
            separator = _SEPARATOR.match(data, end)
            if separator is None:
                continue
            seen.add(end)
            one = _value(data, _name_start(data, at), end, separator)
            if one is not None:
                covered = one.end
                yield replace(one, context=_name_start(data, at))


def _rest(data: bytes, at: int) -> int:
    match = _REST_OF_NAME.match(data, at)
    return match.end() if match else at


def _name_start(data: bytes, at: int) -> int:
    start = at
    while start and at - start < _LONGEST_NAME and data[start - 1] in _NAME_BYTES:
        start -= 1
    escape = (
        re.match(rb"(?:[nrtbf]|u[0-9a-fA-F]{4})", data[start : start + 5]) if start and data[start - 1] == 92 else None
    )
    return start + escape.end() if escape and start + escape.end() <= at else start


def _value(data: bytes, start: int, end: int, separator: re.Match[bytes]) -> Found | None:
    name = data[start:end].decode("ascii", "replace")
    begin, scheme = separator.end(), separator["scheme"]
    if data[start - 1 : start] in (b"?", b"&") or data[max(start - 6, 0) : start].lower() in (b"\\u0026", b"\\u003f"):
        return _parameter(data, name, begin, separator)
    strength = strength_of(name)
    is_header = (is_secret_header(name) and "-" in name) or name.lower() in ("authorization", "cookie")
    if not strength and not is_header:
        return None
    if separator["open"] is not None:
        return _quoted(data, name, begin, separator, strength)
    if separator["close"] is not None or separator["sign"] is None:
        return None  # `"key": 5`, `"token": {`
    match = (_LINE if "cookie" in name.lower() else _PLAIN).match(data, begin)
    if match is None or _PLACEHOLDER.match(data, begin):
        return None
    value = match[0].decode("latin-1")
    if is_header and (scheme or _DIGIT.search(value) or len(value) >= 24):
        return Found(begin, match.end(), "header")
    if _is_plain_secret(name, value, strength):
        return Found(begin, match.end(), "named secret")
    return None


def _parameter(data: bytes, name: str, begin: int, separator: re.Match[bytes]) -> Found | None:
    known = strength_of(name) or name.lower() in ("sig", "signature", "x-amz-signature", "x-amz-credential")
    match = _PARAMETER.match(data, separator.start("sign") + 1) if separator["sign"] == b"=" and known else None
    if match is None or _PLACEHOLDER.match(match[0]):
        return None
    return Found(match.start(), match.end(), "address parameter")


def holds_secret(name: str, value: str) -> bool:
    """Whether the text under a name in JSON is a secret as a whole."""
    return _is_secret(name, value.encode("utf-8", "surrogatepass"), strength_of(name), named=True)


def _quoted(data: bytes, name: str, begin: int, separator: re.Match[bytes], strength: str) -> Found | None:
    end = _closing(data, begin, separator["open"])
    value = data[begin:end]
    is_pair = separator["sign"] is None and not _says_value(separator)
    if is_pair and not (separator["scheme"] or looks_random(value.decode("latin-1"))):
        return None  # two quoted words apart by a comma: no header line in a list, just a list of names
    if not _is_secret(name, value, strength, named=separator["close"] is not None):
        return None
    return Found(begin, end, "header" if "-" in name or name.lower() in ("authorization", "cookie") else "named secret")


def _is_secret(name: str, value: bytes, strength: str, *, named: bool) -> bool:
    """`named`: the name stands in quotes too, so that this is data and no code."""
    text, lower = value.decode("latin-1"), name.lower()
    if not value.strip() or value.lower() in _TYPES or _PLACEHOLDER.match(value) or text.lower() == lower:
        return False
    if lower == "pwd" and text.startswith(("/", "~", "C:")):
        return False
    if strength == "strong":
        return named or (len(value) >= 4 and not any(map(str.isspace, text)))
    if not strength:
        return is_secret_header(name) and _DIGIT.search(text) is not None
    return looks_random(text, as_key=lower.endswith("key")) or _is_plain_secret(name, text, strength)


def _says_value(separator: re.Match[bytes]) -> bool:
    return b"value" in separator[0].lower()


def _is_plain_secret(name: str, value: str, strength: str) -> bool:
    # a digit is asked for: `token = get_token()` is code
    if _DIGIT.search(value) is None or value.startswith(("/", "~/", "./", "http")):
        return False
    if strength == "strong":
        return len(value) >= 6
    is_variable = "_" in name and name.isupper()
    return (is_variable and len(value) >= 8) or looks_random(value, as_key=name.lower().endswith("key"))


def _closing(data: bytes, begin: int, opening: bytes) -> int:
    """Where a quoted value ends, whatever depth of quoting it stands in; at most where the text does."""
    depth, quote = len(opening) - 1, opening[-1:]
    for run in _RUN.finditer(data, begin, min(len(data), begin + _LONGEST_VALUE)):
        length = len(run[1])
        closes = length % (2 * (depth + 1)) == depth or length < depth
        if closes and (run[2] == quote or length < depth):
            # a backslash that is part of the value stands before those of the closing quote
            return run.end() - 1 - min(depth, length)
    stop = min(len(data), begin + _LONGEST_VALUE)
    return stop - _half_escape(data, begin, stop)


def _half_escape(data: bytes, begin: int, stop: int) -> int:
    """Bytes of an escape, or of a character, that would be cut in two here."""
    back = 0
    while back < 8 and stop - back > begin and (data[stop - back - 1] == 92 or data[stop - back - 1] & 0xC0 == 0x80):
        back += 1
    return back
