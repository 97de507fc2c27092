"""The outline of source code by its words: what follows `function`, `class`, `struct` and their like. Pure.

Pygments tells words from strings and comments in any language; a grammar for each would weigh far more. So this sees
what is declared where a reader would look for it, and nothing of what the code means.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Name, Punctuation, String

LANGUAGES: Final = {
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "typescript",
    ".go": "go", ".rs": "rust", ".java": "java", ".kt": "kotlin", ".swift": "swift", ".php": "php", ".rb": "ruby",
    ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".cs": "csharp",
}  # fmt: skip
"""By suffix; the values are what Pygments calls them."""

_DECLARES: Final = {
    **dict.fromkeys(("function", "func", "fn", "fun", "def"), "function"),
    **dict.fromkeys(("class", "interface", "struct", "enum", "trait", "protocol", "union", "record"), ""),
    **dict.fromkeys(("module", "namespace", "object", "type", "impl", "extension"), ""),
}
"""Words that a name follows; empty = the word itself says what it is."""
_HOLDERS: Final = frozenset({"class", "interface", "struct", "trait", "object", "record", "enum"})
_SCRIPTS: Final = frozenset({"javascript", "typescript"})
_NEEDS_BODY: Final = frozenset({"c", "cpp"})
"""Languages in which `struct name` is also how the type is used."""
_NO_METHOD: Final = frozenset({"if", "for", "while", "switch", "catch", "function", "return", "with", "super", "await"})
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$#][\w$]*[?!]?")
_STRING: Final = '""'
"""Stands for any: what is in one declares nothing."""
_FARTHEST: Final = 200
"""Words between a name and the body that belongs to it, at most."""
_MOST_SIGNS: Final = 512 * 1024
"""About a second's work; a larger file was written by a program."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    line: int
    is_function: bool
    """Whether the highlighter itself knows it as the name of a function."""


def outline_code(text: str, language: str) -> list[str]:
    """A row for each declaration, with its line, indented as deep as it stands in braces."""
    words = list(_words(text[:_MOST_SIGNS], language))
    rows = [f"{line}: {'  ' * depth}{kind} {name}" for line, depth, kind, name in _declared(words, language)]
    if len(text) > _MOST_SIGNS:
        rows.append(f"[only the first {text.count(chr(10), 0, _MOST_SIGNS):,} lines were looked at]")
    return rows


def _words(text: str, language: str) -> Iterator[_Word]:
    line, counted = 1, 0
    for start, token, value in get_lexer_by_name(language).get_tokens_unprocessed(text):
        if not value.strip() or token in Comment:
            continue
        line, counted = line + text.count("\n", counted, start), start
        if token in String:
            yield _Word(_STRING, line, False)
            continue
        # highlighters may take `){` for one
        for part in value if token in Punctuation else value.split():
            if part.strip():
                yield _Word(part, line, token in Name.Function)


def _declared(words: Sequence[_Word], language: str) -> Iterator[tuple[int, int, str, str]]:
    depth = 0
    holders: list[int] = []
    """How deep the bodies stand whose direct contents are methods."""
    pending = False
    for at, word in enumerate(words):
        if word.text == "{":
            depth += 1
            if pending:
                holders.append(depth)
                pending = False
            continue
        if word.text == "}":
            if holders and holders[-1] == depth:
                holders.pop()
            depth = max(depth - 1, 0)
            continue
        found = _named(words, at, language)
        if found is not None:
            kind, name = found
            pending = pending or kind in _HOLDERS
            yield word.line, depth, kind, name
            continue
        in_holder = bool(holders) and holders[-1] == depth
        known = word.is_function and _text(words, at - 1) not in (*_DECLARES, ".")
        if known or (in_holder and language in _SCRIPTS and _is_method(words, at)):
            yield word.line, depth, "function", word.text


def _named(words: Sequence[_Word], at: int, language: str) -> tuple[str, str] | None:
    """What the word at that place declares, and its name."""
    word, before = words[at].text, _text(words, at - 1)
    if word in ("const", "let", "var") and language in _SCRIPTS:
        return ("function", _text(words, at + 1)) if _is_function_value(words, at + 2) else None
    if word not in _DECLARES or before in (".", "->", "::", "new", *_DECLARES):
        return None
    after = at + 1
    if word == "func" and _text(words, after) == "(":  # Go: whose method it is
        after = _behind(words, after)
    while _text(words, after) in ("*", "class", "struct", "<"):
        after = _behind(words, after, "<", ">") if _text(words, after) == "<" else after + 1
    name = _text(words, after)
    if not _IDENTIFIER.fullmatch(name) or name in ("extends", "implements", "for"):
        return None
    kind = _DECLARES[word] or word
    if language in _NEEDS_BODY and not _has_body(words, after):
        return None
    if word == "type" and language in _SCRIPTS and _text(words, after + 1) not in ("=", "<"):
        return None  # `import { type Name }`
    if word == "def" and name == "self" and _text(words, after + 1) == ".":  # Ruby
        name = f"self.{_text(words, after + 2)}"
    return kind, name


def _is_function_value(words: Sequence[_Word], at: int) -> bool:
    """`= (a, b) =>`, `= a =>`, `= async …`, `= function`."""
    if _text(words, at) == ":":  # the type that TypeScript gives it
        end = min(at + _FARTHEST, len(words))
        at = next((place for place in range(at, end) if words[place].text in ("=", ";")), end)
    if _text(words, at) != "=":
        return False
    at += 2 if _text(words, at + 1) == "async" else 1
    if _text(words, at) == "function":
        return True
    at = _behind(words, at) if _text(words, at) == "(" else at + 1
    if _text(words, at) == ":":
        end = min(at + _FARTHEST, len(words))
        at = next((place for place in range(at, end) if words[place].text in ("=>", "=", ";", "{")), end)
    return "=>" in (_text(words, at), _text(words, at) + _text(words, at + 1))


def _is_method(words: Sequence[_Word], at: int) -> bool:
    """A name, its parameters, and a body."""
    name = words[at].text
    if not _IDENTIFIER.fullmatch(name) or name in _NO_METHOD or _text(words, at - 1) in (".", "=", "new", "("):
        return False
    after = _behind(words, at + 1, "<", ">") if _text(words, at + 1) == "<" else at + 1
    return _text(words, after) == "(" and _has_body(words, _behind(words, after) - 1)


def _has_body(words: Sequence[_Word], at: int) -> bool:
    for word in words[at + 1 : at + _FARTHEST]:
        if word.text == "{":
            return True
        if word.text in (";", "=", ")", "}", "("):
            return False
    return False


def _behind(words: Sequence[_Word], at: int, opening: str = "(", closing: str = ")") -> int:
    """The place after the bracket that closes the one here."""
    open_now = 0
    for place in range(at, min(at + _FARTHEST, len(words))):
        open_now += (words[place].text == opening) - (words[place].text == closing)
        if open_now == 0:
            return place + 1
    return len(words)


def _text(words: Sequence[_Word], at: int) -> str:
    return words[at].text if 0 <= at < len(words) else ""
