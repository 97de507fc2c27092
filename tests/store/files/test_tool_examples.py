from pathlib import Path

from callgate.core.catalog.tool_example import ToolExample
from callgate.store.files.json_file import JsonFile
from callgate.store.files.tool_examples import ToolExamples

MORNING = ToolExample("morning", '{"hour": 8}')
EVENING = ToolExample("evening", '{"hour": 20}')


def kept(path: Path) -> ToolExamples:
    return ToolExamples(JsonFile(path / "examples.json"))


def test_examples_outlive_the_program_in_the_order_they_were_saved(tmp_path: Path) -> None:
    examples = kept(tmp_path)
    examples.save("clock", "remind", MORNING)
    examples.save("clock", "remind", EVENING)
    assert kept(tmp_path).of_tool("clock", "remind") == (MORNING, EVENING)


def test_one_of_the_same_name_is_replaced_where_it_stands(tmp_path: Path) -> None:
    examples = kept(tmp_path)
    examples.save("clock", "remind", MORNING)
    examples.save("clock", "remind", EVENING)
    later = ToolExample("morning", '{"hour": 9}')
    examples.save("clock", "remind", later)
    assert examples.of_tool("clock", "remind") == (later, EVENING)


def test_tools_of_the_same_name_keep_their_own(tmp_path: Path) -> None:
    examples = kept(tmp_path)
    examples.save("clock", "remind", MORNING)
    assert examples.of_tool("calendar", "remind") == ()


def test_a_deleted_example_is_gone_for_good(tmp_path: Path) -> None:
    examples = kept(tmp_path)
    examples.save("clock", "remind", MORNING)
    examples.delete("clock", "remind", "morning")
    examples.delete("clock", "remind", "never was")
    assert kept(tmp_path).of_tool("clock", "remind") == ()


def test_an_entry_broken_by_hand_takes_no_others_with_it(tmp_path: Path) -> None:
    text = '{"clock/remind": [{"name": 5}, {"name": "morning", "arguments": "{}"}, "x"], "other": 7}'
    (tmp_path / "examples.json").write_text(text, "utf-8")
    assert kept(tmp_path).of_tool("clock", "remind") == (ToolExample("morning", "{}"),)


def test_a_file_that_can_not_be_read_is_kept_aside(tmp_path: Path) -> None:
    (tmp_path / "examples.json").write_text("{broken", "utf-8")
    examples = kept(tmp_path)
    examples.save("clock", "remind", MORNING)
    assert (tmp_path / "examples.json.broken-1").read_text("utf-8") == "{broken"
