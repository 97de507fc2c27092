"""One word of a command: what it means once quotes are gone, and what about it cannot be known from the text."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from callgate.core.rules.glob import collapsed
from callgate.core.shell.lexing import is_one_word

KNOWN_VARIABLES = frozenset({"HOME", "PWD", "?", "#", "$"})
"""Their values are no secret to anyone; every way to change one within the line is a concern of its own."""

SUBSTITUTIONS = ("command_substitution", "process_substitution")
"""Kinds of nodes that hold commands; whoever walks the tree tells of them."""

_PLAIN = re.compile(r"[\w@%+=:,./~^#-]*")
_LIVE = re.compile(r"[*?\[\]]")
_BRACES = re.compile(r"\{[^{}]*(,|\.\.)[^{}]*\}")
_DOTTED_GLOB = re.compile(r"(?:^|/)\.[^/]*[*?\[]")
"""`.?` and `.*` can become `..`."""
_RECALL = re.compile(r"!(?=[\w!?#$^*:{%-])")
"""In a terminal, the beginning of something typed before."""
_ESCAPED = re.compile(r"(\\.)", re.DOTALL)
_ESCAPED_IN_STRING = re.compile(r'\\([$`"\\])')


@dataclass(frozen=True, slots=True)
class Word:
    literal: str
    """What the program gets; patterns and known variables as they are written."""
    text: str
    """The uniform spelling that rules match."""
    is_certain: bool = True
    """False: what the program gets is known only when it runs."""
    concerns: tuple[str, ...] = ()
    is_pattern: bool = False
    """Whether all that is uncertain is which names of files it becomes."""


@dataclass(frozen=True, slots=True)
class _Piece:
    literal: str
    live: bool
    """Unquoted, so that `*`, `?`, `[` and a leading `~` mean something."""
    certain: bool = True
    concern: str = ""


def read_word(node: Node, raw: str) -> Word:
    """A word from its node and text; substitutions within it are the caller's to walk."""
    if node.type not in (*SUBSTITUTIONS, "arithmetic_expansion") and not is_one_word(raw):
        return Word(raw, raw, False, (f"the shell may read this otherwise than it looks: {shown(raw)}",))
    pieces = list(_pieces(node))
    literal = "".join(piece.literal for piece in pieces)
    bare = "".join(piece.literal if piece.live else "x" * len(piece.literal) for piece in pieces)
    concerns = [piece.concern for piece in pieces if piece.concern]
    if _BRACES.search(bare):
        concerns.append(f"braces become several words: {shown(raw)}")
    if _DOTTED_GLOB.search(literal) and _LIVE.search(bare):
        concerns.append(f"the pattern may reach the folder above: {shown(raw)}")
    if any(_RECALL.search(piece.literal) for piece in pieces if piece.live or '"' in raw):
        concerns.append(f"in a terminal it may call up an earlier command: {shown(raw)}")
    known = all(piece.certain for piece in pieces)
    if not known and ".." in literal.split("/"):
        # an empty value would let `a/$X/..` be the folder above a
        concerns.append(f"a step up behind a value that is known only when it runs: {shown(raw)}")
    certain = known and not _LIVE.search(bare)
    return Word(literal, _uniform(pieces, literal), certain, tuple(concerns), known and not certain)


def shown(raw: str) -> str:
    """A piece of a command in a sentence; not endless."""
    line = " ".join(raw.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


def _uniform(pieces: list[_Piece], literal: str) -> str:
    text = "".join(
        piece.literal if piece.live or _PLAIN.fullmatch(piece.literal) else shlex.quote(piece.literal)
        for piece in pieces
    )
    if not literal:
        return "''"
    if len(pieces) > 1 and all(not piece.live or _PLAIN.fullmatch(piece.literal) for piece in pieces):
        text = literal if _PLAIN.fullmatch(literal) else shlex.quote(literal)
    return without_steps_up(text)


def without_steps_up(text: str) -> str:
    """`a/../b` is `b`, so that no path can pass for another; a leading `./` stays: it names a program's folder."""
    if ".." not in text.split("/"):
        return text
    plain = collapsed(text)
    return f"./{plain}" if text.startswith("./") and not plain.startswith("..") else plain


def _pieces(node: Node) -> Iterator[_Piece]:
    raw = text_of(node)
    match node.type:
        case "command_name" | "concatenation":
            for child in node.children:
                yield from _pieces(child)
        case "word" | "number" | "==" | "=~" | "=" | "special_variable_name" | "variable_name":
            for piece in filter(None, _ESCAPED.split(raw)):
                escaped = piece.startswith("\\")
                yield _Piece(piece[1:] if escaped else piece, live=not escaped)
        case "raw_string":
            yield _Piece(raw[1:-1], live=False)
        case "string":
            yield from _string(node, raw)
        case "simple_expansion" | "expansion":
            yield _expansion(raw)
        case kind if kind in SUBSTITUTIONS:
            yield _Piece(raw, live=True, certain=False)
        case "arithmetic_expansion":
            yield _Piece(raw, True, False, f"arithmetic, which may run commands: {shown(raw)}")
        case "ansi_c_string" | "translated_string":
            yield _Piece(raw, True, False, f"text spelled in escapes: {shown(raw)}")
        case "brace_expression":
            yield _Piece(raw, True, False, f"braces become several words: {shown(raw)}")
        case _:
            yield _Piece(raw, True, False, f"a word of an unknown kind: {shown(raw)}")


def _string(node: Node, raw: str) -> Iterator[_Piece]:
    inner = [child for child in node.named_children if child.type != "string_content"]
    if inner:
        for child in inner:
            piece = next(iter(_pieces(child)))
            if piece.concern or not piece.certain:
                yield _Piece("", False, False, piece.concern)
        yield _Piece(raw, live=True, certain=False)
        return
    text = raw[1:-1].replace("\\\n", "")
    yield _Piece(_ESCAPED_IN_STRING.sub(r"\1", text), live=False)


def _expansion(raw: str) -> _Piece:
    name = raw.removeprefix("${").removesuffix("}") if raw.startswith("${") else raw.removeprefix("$")
    if name in KNOWN_VARIABLES:
        return _Piece(raw, live=True, certain=False)
    return _Piece(raw, True, False, f"the value of {shown(raw)} is known only when it runs")


def text_of(node: Node) -> str:
    return node.text.decode("utf-8") if node.text is not None else ""
