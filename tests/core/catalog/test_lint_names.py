from callgate.core.catalog.lint_names import lint_names, linting_names, shape_of
from callgate.core.tool import Tool


def test_names_of_their_own_have_no_findings() -> None:
    assert lint_names([Tool("read_file", "a"), Tool("write_file", "b"), Tool("read_files", "b")]) == {}


def test_a_name_that_looks_like_another_is_an_error_for_both() -> None:
    found = lint_names([Tool("read_file", "a"), Tool("rеad_file", "b")])
    assert {name: [one.code for one in findings] for name, findings in found.items()} == {
        "read_file": ["look-alike"],
        "rеad_file": ["look-alike"],
    }
    assert "rеad_file (b)" in found["read_file"][0].words


def test_the_same_name_from_two_sources_is_a_collision() -> None:
    found = lint_names([Tool("read_file", "files"), Tool("git__readFile", "git"), Tool("other", "git")])
    assert [one.code for one in found["read_file"]] == ["collision"]
    assert "git__readFile (git)" in found["read_file"][0].words and "other" not in found


def test_alike_names_of_one_source_are_its_own_business() -> None:
    assert lint_names([Tool("read_file", "a"), Tool("readFile", "a")]) == {}


def test_known_shapes_give_the_same_findings() -> None:
    tools = [Tool("read_file", "a"), Tool("b__read_file", "b")]
    assert lint_names(tools, {tool.name: shape_of(tool) for tool in tools}) == lint_names(tools)


def test_a_great_many_names_are_compared_in_steps() -> None:
    tools = [Tool(f"tool_{number}", "a") for number in range(1_000)] + [Tool("tool_7", "b"), Tool("Tool7", "c")]
    *before, found = linting_names(tools)
    assert len(before) > 3 and set(before) == {None}
    assert found == lint_names(tools) and set(found or {}) == {"tool_7", "Tool7"}
