"""Phrases of the approval surface that were retired do not come back."""

import ast
from pathlib import Path

import callgate

PACKAGE = Path(callgate.__file__).parent
SURFACE = (
    *("ui/approvals/*.py", "ui/conversation/call_*.py", "ui/conversation/approval_card.py", "ui/call_preview/*.py"),
    *("ui/widgets/hint_row.py", "ui/decision/risk_row.py", "ui/decision/more_verbs.py", "ui/theme/state_look.py"),
    "ui/shell/window.py",
    *("core/calls/tool_facts.py", "core/calls/risk.py", "cli/terminal.py", "cli/terminal_preview.py"),
)
RETIRED = (
    *(
        "nobody",
        "Says that it",
        "Says it",
        "Does not say",
        "Asks because",
        "asked because",
        "Rules tried",
        "press again",
    ),
    *(
        "Nothing waits",
        "a call waits",
        "let through",
        "handed over",
        "Identical as one",
        "all shown",
        "Empties or deletes",
    ),
    *("go on without it", "end the whole exchange", "Keep it pressed", "brought the window forward"),
)


def test_retired_phrases_do_not_come_back() -> None:
    files = [file for pattern in SURFACE for file in sorted(PACKAGE.glob(pattern))]
    assert len(files) > 30
    found = [
        f"{file.name}: {text!r}"
        for file in files
        for text in _strings(ast.parse(file.read_text("utf-8")))
        if any(phrase in text for phrase in RETIRED)
    ]
    assert found == []


def _strings(tree: ast.Module) -> list[str]:
    """All but docstrings: statements that are nothing but a text."""
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in prose]
    return [node.value for node in texts if isinstance(node.value, str)]
