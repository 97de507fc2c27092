"""The form of the code: sizes, names and traps."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.architecture.syntax import nodes, tree

APP = Path(__file__).parents[2] / "app" / "callgate"
FILES = sorted(APP.rglob("*.py"))
LONGEST_FILE = 600
LONGEST_FUNCTION = 60
BANNED_NAMES = re.compile(r"(^|_)(utils?|helpers?|managers?|common|base|misc)(_|$)")
TRAPS = {
    r"\.exec\(": "a nested event loop kills every other task; use show() or open() and a future",
    r"asyncSlot|asyncClose": "hides the task or spins the loop",
    r"aiter_lines\(": "splits JSON at U+2028",
    r"except:\s": "swallows everything",
    r"asyncio\.create_task\(|asyncio\.ensure_future\(": "nobody keeps the task; use Tasks.start",
}
BROAD_EXCEPT_ALLOWED = {
    "engine/bus.py",
    "engine/tasks.py",
    "engine/exchange/exchange.py",
    "engine/gate/invoker.py",
    "runtime/loop.py",
    "proxy/routes.py",
    "store/database.py",
}
"""Where an error of any kind must be turned into something that is seen."""


def relative(path: Path) -> str:
    return path.relative_to(APP).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    yield from (node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_no_file_is_longer_than_one_noun_needs() -> None:
    long = {relative(path): n for path in FILES if (n := len(path.read_text("utf-8").splitlines())) > LONGEST_FILE}
    assert not long


def test_no_function_is_too_long_to_read_at_once() -> None:
    long = {
        f"{relative(path)}:{node.name}": node.end_lineno - node.lineno + 1
        for path in FILES
        for node in functions(path)
        if node.end_lineno and node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    }
    assert not long


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert not [relative(path) for path in FILES if BANNED_NAMES.search(path.stem)]


def test_every_module_says_what_it_is_for() -> None:
    assert not [relative(path) for path in FILES if ast.get_docstring(tree(path)) is None]


@pytest.mark.parametrize(("trap", "why"), TRAPS.items())
def test_no_known_trap_is_used(trap: str, why: str) -> None:
    found = [relative(path) for path in FILES if re.search(trap, path.read_text("utf-8"))]
    assert not found, why


def test_broad_excepts_stand_only_where_errors_are_made_visible() -> None:
    broad = {
        relative(path)
        for path in FILES
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")))
        and not any(isinstance(inner, ast.Raise) and inner.exc is None for inner in node.body)
    }
    assert broad <= BROAD_EXCEPT_ALLOWED


def test_imports_stand_at_the_top() -> None:
    inline = [
        f"{relative(path)}:{inner.lineno}"
        for path in FILES
        for node in functions(path)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert not inline
