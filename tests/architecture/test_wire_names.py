"""Nobody outside `wire` asks which wire it is: what differs is a trait of the codec."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from callgate.core.request import WireName

APP = Path(__file__).parents[2] / "app" / "callgate"
WIRES = frozenset(get_args(WireName))
OTHER_MEANINGS = {"core/catalog/token_cost.py", "core/catalog/token_count.py", "core/catalog/tool_text.py"}
"""Where the same words name families of tokenizers."""


def names_a_wire(node: ast.AST) -> bool:
    """A constant, or one within a literal collection or an alternative of patterns."""
    return any(isinstance(inner, ast.Constant) and inner.value in WIRES for inner in ast.walk(node) if hashable(inner))


def hashable(node: ast.AST) -> bool:
    return not isinstance(node, ast.Constant) or isinstance(node.value, str)


def comparisons(tree: ast.AST) -> Iterator[int]:
    """Lines that choose by the name of a wire: ==, in, `match`, a dict or set to look one up in, startswith."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others) if any(map(names_a_wire, (left, *others))):
                yield node.lineno
            case ast.MatchValue(value=value) if names_a_wire(value):
                yield node.lineno
            case ast.Dict(keys=keys) if any(key is not None and names_a_wire(key) for key in keys):
                yield node.lineno
            case ast.Set(elts=names) if any(map(names_a_wire, names)):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Constant(value=str(begin))]) if (
                begin and any(wire.startswith(begin) for wire in WIRES)
            ):
                yield node.lineno
            case ast.Call(func=ast.Name(id="frozenset" | "set"), args=[names]) if names_a_wire(names):
                yield node.lineno
            case _:
                pass


def outside_wire() -> list[Path]:
    return [path for path in sorted(APP.rglob("*.py")) if "wire" not in path.relative_to(APP).parts[:1]]


def test_nothing_outside_wire_is_decided_by_the_name_of_a_wire() -> None:
    found = [
        f"{path.relative_to(APP).as_posix()}:{line}"
        for path in outside_wire()
        if path.relative_to(APP).as_posix() not in OTHER_MEANINGS
        for line in comparisons(ast.parse(path.read_text("utf-8")))
    ]
    assert not found, "ask a trait of the codec instead (core/wire_traits.py)"


def test_files_with_other_meanings_of_these_words_know_no_wires() -> None:
    assert not [name for name in OTHER_MEANINGS if "WireName" in (APP / name).read_text("utf-8")]


@pytest.mark.parametrize(
    "module",
    [
        "gate/gate.py",
        "exchange/verdict_filter.py",
        "exchange/response_chaining.py",
        "exchange/replies.py",
        "exchange/exchange.py",
        "exchange/upstream_request.py",
    ],
)
def test_the_heart_of_the_engine_imports_nothing_of_a_single_wire(module: str) -> None:
    tree = ast.parse((APP / "engine" / module).read_text("utf-8"))
    folders = {path.name for path in (APP / "wire").iterdir() if (path / "wire_traits.py").is_file()}
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert folders
    assert not [name for name in imported if name.startswith("callgate.wire.") and name.split(".")[2] in folders]


@pytest.mark.parametrize(
    "code",
    [
        'wire == "gemini"',
        'wire in ("openai-chat", "openai-responses")',
        'wire not in {"anthropic"}',
        'match wire:\n case "openai-chat" | "anthropic": pass',
        'words = {"gemini": 1}[wire]',
        'OURS = frozenset({"gemini"})',
        'wire.startswith("openai")',
    ],
)
def test_every_way_of_choosing_by_name_is_found(code: str) -> None:
    assert list(comparisons(ast.parse(code)))


@pytest.mark.parametrize("code", ['ChatRequest("openai-chat", model)', 'wires: tuple[str, ...] = ("gemini",)'])
def test_a_name_that_is_only_data_is_none(code: str) -> None:
    assert not list(comparisons(ast.parse(code)))
