"""The outline of a file that is no Python: what shell scripts and other code declare, headings of Markdown. Pure.

Shell is read with the grammar that judges commands anyway.
"""

import re
from collections.abc import Iterator
from pathlib import PurePath

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from callgate.tools.builtin.code_outline import LANGUAGES, outline_code

_BASH = Language(tree_sitter_bash.language())
_SHELL = frozenset({".sh", ".bash", ".bats", ".zsh", ".ksh"})
_SHEBANG = re.compile(r"#!.*\b(?:ba|z|k|da)?sh\b")
_MARKDOWN = frozenset({".md", ".markdown"})
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*$")
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
KNOWN = "Python, JavaScript, TypeScript, Go, Rust, Java, Kotlin, Swift, PHP, Ruby, C, C++, C#, shell and Markdown"
"""What can be outlined at all."""


def outline(path: PurePath, text: str) -> list[str] | None:
    """A row for each thing, with its line; None = this kind of file is not understood."""
    if path.suffix in _MARKDOWN:
        return list(_headings(text))
    if path.suffix in _SHELL or (not path.suffix and _SHEBANG.match(text)):
        tree = Parser(_BASH).parse(text.encode("utf-8", "replace"))
        return list(_shell(tree.root_node, 0))
    language = LANGUAGES.get(path.suffix.lower())
    return outline_code(text, language) if language is not None else None


def _headings(text: str) -> Iterator[str]:
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
        elif not fence and (found := _HEADING.match(line)):
            yield f"{number}: {'  ' * (len(found[1]) - 1)}heading {found[2]}"


def _shell(node: Node, depth: int) -> Iterator[str]:
    for child in node.children:
        kind, inside = _shell_name(child, depth)
        if kind:
            yield f"{child.start_point.row + 1}: {'  ' * depth}{kind}"
        yield from _shell(child, depth + 1) if inside else ()


def _shell_name(node: Node, depth: int) -> tuple[str, bool]:
    """What a node defines, and whether to look into it: functions may hold functions."""
    match node.type:
        case "function_definition":
            return f"function {_text(node.child_by_field_name('name'))}", True
        case "variable_assignment" if depth == 0:
            return f"variable {_text(node.child_by_field_name('name'))}", False
        case "declaration_command" if depth == 0:
            named = [_text(part.child_by_field_name("name")) for part in node.children if part.type.endswith("ment")]
            return (f"variable {', '.join(named)}" if named else ""), False
        case "compound_statement":
            return "", True
        case _:
            return "", False


def _text(node: Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text else "?"
