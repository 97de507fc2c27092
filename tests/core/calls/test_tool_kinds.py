import pytest

from callgate.core.calls.tool_kinds import edits_files, fetches, is_foreign_shell, reached_fields, runs_commands


@pytest.mark.parametrize(
    "name", ["Bash", "run_command", "run_in_terminal", "mcp__dev__shell", "local-shell", "execute_command"]
)
def test_shells_are_known_by_name(name: str) -> None:
    assert runs_commands(name)
    assert reached_fields(name) >= {"command", "line"}


def test_tags_tell_what_names_do_not() -> None:
    assert runs_commands("x", ("terminal",)) and not runs_commands("x", ("files",))
    assert edits_files("x", ("files", "write")) and not edits_files("x", ("files", "read-only"))
    assert fetches("x", ("web",)) and reached_fields("x", ("web",)) == {"urls"}


@pytest.mark.parametrize(("name", "fields"), [("Edit", {"edits"}), ("WebFetch", {"urls"}), ("read_file", set())])
def test_what_a_tool_reaches_is_told_by_its_name(name: str, fields: set[str]) -> None:
    assert reached_fields(name) == fields


def test_shells_of_other_systems_are_known_as_such() -> None:
    assert is_foreign_shell("PowerShell") and not is_foreign_shell("bash")
