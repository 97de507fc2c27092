from callgate.core.rules.match import parse
from callgate.core.rules.vscode_patterns import command_condition, edit_condition
from callgate.store.rule_import.vscode_defaults import EDITS, FAMILIES, WITHHELD_COMMANDS, WITHHELD_PATTERNS


def test_all_of_them_can_be_said_here() -> None:
    for key in (*WITHHELD_COMMANDS, *WITHHELD_PATTERNS):
        assert parse(command_condition(key, approves=False))
    for glob, approves in EDITS.items():
        assert parse(edit_condition(glob, approves=approves))
    for when in FAMILIES.values():
        assert parse(when)
