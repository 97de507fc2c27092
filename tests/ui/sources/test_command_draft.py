import pytest

from callgate.core.config.settings import SourceSettings
from callgate.core.errors import UserFault
from callgate.ui.sources.command_draft import CommandDraft, Parameter, make_source, make_tool, slots_of


def test_places_in_the_command_become_parameters() -> None:
    draft = CommandDraft(
        "mine",
        "grep",
        "grep -n --max-count={most?} -- {words} {files*}",
        "Searches",
        (Parameter("most", "integer", "How many"),),
        read_only=True,
    )
    tool = make_tool(draft)
    assert tool.argv == ("grep", "-n", "--max-count={most?}", "--", "{words}", "{files*}")
    assert tool.input_schema["properties"] == {
        "most": {"type": "integer", "description": "How many"},
        "words": {"type": "string"},
        "files": {"type": "array", "items": {"type": "string"}},
    }
    assert tool.input_schema["required"] == ["words"]
    assert tool.annotations.read_only is True
    assert [slot.name for slot in slots_of(draft.command)] == ["most", "words", "files"]


def test_a_tool_joins_those_that_are_there() -> None:
    first = make_source(CommandDraft("mine", "a", "echo a"))
    both = make_source(CommandDraft("mine", "b", "echo b"), first)
    assert [tool.name for tool in both.tools] == ["a", "b"]
    assert SourceSettings.model_validate(both.model_dump(exclude={"tools"}) | {"tools": list(both.tools)}).tools
    with pytest.raises(UserFault, match="a tool named a already"):
        make_source(CommandDraft("mine", "a", "echo c"), both)


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (CommandDraft("mine", "two words", "echo"), "Give the tool a name"),
        (CommandDraft("mine", "a", "echo 'half"), "can't be read"),
        (CommandDraft("mine", "a", "{program} x"), "can't come from an argument"),
        (CommandDraft("mine", "a", "echo {"), "brace stands alone"),
        (CommandDraft("bad name", "a", "echo"), "Give the source a name"),
    ],
)
def test_what_cannot_be_is_said_in_words(draft: CommandDraft, said: str) -> None:
    with pytest.raises(UserFault, match=said):
        make_source(draft)
