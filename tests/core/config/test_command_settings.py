import pytest
from pydantic import ValidationError

from callgate.core.config.settings import Settings

COUNT = {
    "name": "count_lines",
    "argv": ["wc", "-l", "{path}"],
    "schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
}


def source(**more: object) -> dict:
    return {"sources": [{"name": "mine", "kind": "command", "tools": [{**COUNT, **more}]}]}


def test_a_command_tool_with_all_manifest_fields_is_read() -> None:
    settings = Settings.model_validate(
        source(
            displayName="Count lines",
            toolReferenceName="lines",
            userDescription="Counts.",
            modelDescription="Counts lines of a file.",
            tags=["text"],
            when="workspaceFolderCount > 0",
            canBeReferencedInPrompt=False,
            icon="$(list)",
            cwd="src",
            env={"LC_ALL": "C"},
            pass_env=["GITHUB_TOKEN"],
            timeout_seconds=5,
            annotations={"readOnlyHint": True},
        )
    )
    tool = settings.sources[0].tools[0]
    assert (tool.display_name, tool.reference_name, tool.referable) == ("Count lines", "lines", False)
    assert tool.annotations.read_only is True
    assert tool.template.fill({"path": "x"}) == ("wc", "-l", "x")


def test_the_schema_may_be_spelled_as_vs_code_spells_it() -> None:
    spelled = {key: value for key, value in COUNT.items() if key != "schema"} | {"inputSchema": COUNT["schema"]}
    raw = {"sources": [{"name": "mine", "kind": "command", "tools": [spelled]}]}
    assert Settings.model_validate(raw).sources[0].tools[0].input_schema == COUNT["schema"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"name": "with spaces"}, "expected 1 to 64 letters"),
        ({"name": "x" * 200}, "expected 1 to 64 letters"),
        ({"argv": []}, "names no program"),
        ({"argv": ["wc", "{other}"]}, "no such property"),
        ({"argv": ["{path}"]}, "program itself"),
        ({"schema": {"type": "array"}}, "must describe an object"),
        ({"schema": {"properties": {"path": {"type": "wish"}}}}, "not a JSON Schema"),
        ({"when": "a =="}, "expected a value after =="),
        ({"toolReferenceName": "two words"}, "expected a word"),
        ({"timeout_seconds": 0}, "greater than 0"),
        ({"colour": "red"}, "Extra inputs"),
    ],
)
def test_bad_command_tools_are_refused_in_words(more: dict, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Settings.model_validate(source(**more))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"name": "c", "kind": "command"}, "needs \\[\\[sources.tools\\]\\]"),
        ({"name": "c", "kind": "command", "tools": [COUNT, COUNT]}, "two of its tools are named 'count_lines'"),
        ({"name": "c", "kind": "command", "tools": [COUNT], "url": "http://127.0.0.1:1"}, "url goes with"),
        ({"name": "c", "kind": "mcp", "command": ["x"], "tools": [COUNT]}, "lists its tools itself"),
    ],
)
def test_a_source_must_fit_its_kind(settings: dict, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Settings.model_validate({"sources": [settings]})
