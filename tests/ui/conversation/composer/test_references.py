"""A few letters find the tool that is meant; the best comes first."""

import pytest
from tests.fakes.samples import sample_tools

from callgate.core.tool import Tool
from callgate.core.toolset import Toolset
from callgate.ui.conversation.composer.references import begun, matching, references_of, score


@pytest.mark.parametrize(
    ("text", "letters"),
    [("use #rea", "rea"), ("#", ""), ("a#b", None), ("##x", None), ("see #read_file ", None), ("x/#y", None)],
)
def test_a_reference_begins_where_a_word_could(text: str, letters: str | None) -> None:
    assert begun(text) == letters


def test_sets_come_first_and_what_is_off_is_left_out() -> None:
    tools = (*sample_tools(), Tool("off", "x", enabled=False), Tool("no", "x", referable=False))
    found = references_of(tools, (Toolset("reader", ("read_file",), "Only reads"),))
    assert found[0].name == "reader" and found[0].is_set
    assert not {"off", "no"} & {one.name for one in found}


def test_beginnings_beat_words_beat_pieces_beat_letters() -> None:
    tools = [Tool(name, "x") for name in ("unread", "file_read", "reader", "rxexaxd", "other")]
    assert [one.name for one in matching(references_of(tools, ()), "read")] == [
        "reader",
        "file_read",
        "unread",
        "rxexaxd",
    ]
    assert score("read_file", "zz") is None
