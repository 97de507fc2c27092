import pytest
from tests.fakes.console import sample_tools

from callgate.ui.tools.facts import Facts
from callgate.ui.tools.panel import why_empty
from callgate.ui.tools.query import read_query
from callgate.ui.tools.tool_index import ToolIndex


@pytest.mark.parametrize(
    ("text", "words", "culprit"),
    [
        ("zzz", "None of the 7 tools fits “zzz”.", ""),
        ("enabled:maybe", "None of the 7 tools fits “enabled:maybe”. It takes yes or no.", ""),
        ("file tag:nope", "“tag:nope” alone fits none of the 7 tools.", "tag:nope"),
        ("file source:git", "Without “source:git” there would be 3 tools.", "source:git"),
        ("write weather commit", "No tool fits all of “write weather commit”. Each part alone fits some.", ""),
    ],
)
def test_the_part_that_keeps_everything_out_is_named(text: str, words: str, culprit: str) -> None:
    index = ToolIndex()
    index.fill(sample_tools())
    facts = Facts(ask_enabled=lambda agent: frozenset(tool.name for tool in sample_tools()))
    reason = why_empty(index, read_query(text), facts)
    assert reason.words == words
    assert (reason.culprit.text if reason.culprit else "") == culprit
