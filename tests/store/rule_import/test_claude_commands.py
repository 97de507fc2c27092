import pytest

from callgate.core.calls.subject import Call
from callgate.core.calls.targets import Targets
from callgate.core.rules.match import parse
from callgate.store.rule_import.claude_code import command_condition


@pytest.mark.parametrize(
    ("rule", "command", "allows", "holds"),
    [
        ("npm run *", "npm run", True, True),
        ("npm run *", "npm run x", True, True),
        ("npm run *", "npm runs", True, False),
        ("npm run:*", "npm run x", True, True),
        ("ls*", "lsof", True, True),
        ("* --help *", "git --help", True, False),
        ("* --help *", "git --help", False, True),
        ("git:* push", "git push", True, False),
        (r"echo \*", "echo *", True, True),
        ("find *", "find . -name x", True, True),
        ("find *", "/usr/bin/find . -delete", False, False),
        ("*", "find . -delete", True, False),
        ("*", "ls\n-l", True, True),
    ],
)
def test_stars_and_ends(rule: str, command: str, allows: bool, holds: bool) -> None:
    call = Call("Bash", "", "", targets=Targets(commands=(command,)))
    assert parse(command_condition(rule, allows=allows)).holds(call) is holds
