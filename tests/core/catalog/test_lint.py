import pytest

from callgate.core.catalog.lint import LONGEST_DESCRIPTION, lint
from callgate.core.tool import Annotations, Tool

GOOD = "Reads a text file of the workspace and returns its lines."


def _codes(tool: Tool) -> dict[str, str]:
    return {finding.code: finding.severity for finding in lint(tool)}


def test_a_good_tool_has_no_findings() -> None:
    assert lint(Tool("read_file", "s", GOOD, {"type": "object"}, annotations=Annotations(read_only=True))) == ()


@pytest.mark.parametrize(
    ("description", "code", "severity"),
    [
        ("", "no-description", "error"),
        ("  \n", "no-description", "error"),
        ("Read file", "unclear-description", "warning"),
        ("Reads.", "unclear-description", "warning"),
        (f"{GOOD} " * 40, "long-description", "hint"),
    ],
)
def test_a_description_that_does_not_help_is_found(description: str, code: str, severity: str) -> None:
    assert _codes(Tool("read_file", "s", description)) == {code: severity}
    assert len(GOOD) < LONGEST_DESCRIPTION


@pytest.mark.parametrize(
    ("name", "annotations", "severity"),
    [
        ("delete_file", Annotations(read_only=True), "error"),
        ("file_delete", Annotations(read_only=True), "error"),
        ("sendMail", Annotations(read_only=True), "error"),
        ("drop_table", Annotations(destructive=False), "error"),
        ("list_files", Annotations(destructive=True), "warning"),
        ("x", Annotations(read_only=True, destructive=True), "error"),
    ],
)
def test_a_hint_that_contradicts_the_name_is_found(name: str, annotations: Annotations, severity: str) -> None:
    assert _codes(Tool(name, "s", GOOD, annotations=annotations)).get("contradiction") == severity


@pytest.mark.parametrize(
    ("name", "annotations"),
    [
        ("get_updates", Annotations(read_only=True)),
        ("list_deleted", Annotations(read_only=True)),
        ("get_run_status", Annotations(read_only=True)),
        ("delete_file", Annotations(read_only=False, destructive=True)),
        ("delete_file", Annotations()),
    ],
)
def test_a_name_that_only_mentions_a_deed_is_no_contradiction(name: str, annotations: Annotations) -> None:
    assert "contradiction" not in _codes(Tool(name, "s", GOOD, annotations=annotations))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a" * 65, "name-refused"),
        ("files.read", "name-refused"),
        ("1password", "name-refused"),
        ("read_file_0a1b2c3d", "renamed"),
    ],
)
def test_names_that_providers_refuse_or_that_were_changed_are_found(name: str, code: str) -> None:
    assert code in _codes(Tool(name, "s", GOOD))


def test_a_schema_that_cannot_be_used_is_found_and_comes_first() -> None:
    found = lint(Tool("1read", "s", GOOD, {"type": "object", "properties": {"a": {"type": "nonsense"}}}))
    assert [finding.code for finding in found] == ["broken-schema", "name-refused"]


def test_every_finding_says_what_is_wrong_and_what_to_do() -> None:
    for finding in lint(Tool("delete_it", "s", "", {"type": "array"}, annotations=Annotations(read_only=True))):
        assert finding.words.endswith(".") and finding.advice.endswith(".")
