"""Only the window makes a call the person's own: nothing that a program can reach knows how."""

import ast
from pathlib import Path

from tests.architecture.syntax import nodes

PACKAGE = Path(__file__).parents[2] / "app" / "callgate"
REACHABLE = ("proxy", "wire", "upstream", "tools", "store", "export")


def test_what_programs_reach_does_not_know_of_own_acts() -> None:
    files = [path for folder in REACHABLE for path in (PACKAGE / folder).rglob("*.py")]
    assert files
    knowing = [path for path in files if "own_act" in (text := path.read_text("utf-8")) or "OwnAct" in text]
    assert knowing == []
    calls = [(path.name, node.lineno) for path in files for node in _calls(path, "act")]
    assert calls == [], "DirectCalls.act is for the desks of the window"


def test_own_acts_begin_at_the_desks_and_nowhere_else() -> None:
    makers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "OwnAct"
    }
    assert makers == {"engine/exchange/direct_call.py", "engine/exchange/round.py"}
    actors = {p.relative_to(PACKAGE).as_posix() for p in PACKAGE.rglob("*.py") if _calls(p, "act")}
    assert actors == {"engine/offer/trial_service.py"}
    receive = next(
        node
        for node in nodes(PACKAGE / "engine" / "exchange" / "exchanges.py")
        if getattr(node, "name", "") == "receive"
    )
    starts = [node for node in ast.walk(receive) if isinstance(node, ast.Call) and _named(node, "start")]
    assert [(len(node.args), node.keywords) for node in starts] == [(1, [])], "a request that was received names none"


def _calls(path: Path, name: str) -> list[ast.Call]:
    return [node for node in nodes(path) if isinstance(node, ast.Call) and _named(node, name)]


def _named(node: ast.Call, name: str) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == name
