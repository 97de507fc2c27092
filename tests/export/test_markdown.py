"""The Markdown transcript tells everything, and nothing in it breaks out of its fence."""

from markdown_it import MarkdownIt
from tests.fakes.samples import sample_conversation
from tests.store.samples import a_conversation, marked, started

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import Event, RoundEnded
from callgate.core.messages import Message, Text, ToolCall
from callgate.export.format import ExportAbout
from callgate.export.markdown import MarkdownWriter
from callgate.export.record import ConversationRecord
from callgate.wire.registry import TRAITS


def written(*conversations: list[Event]) -> str:
    writer = MarkdownWriter(ExportAbout("1.0", 5.0, redacted=True, wires=TRAITS))
    text = writer.begin()
    for events in conversations:
        summary: ConversationSummary | None = None
        for event in events:
            summary = summarize(summary, event)
        assert summary is not None
        text += writer.conversation(ConversationRecord(summary, tuple(events)))
    return text + writer.end()


def test_everything_is_told_in_order() -> None:
    text = written([*a_conversation(), marked()])
    order = ["# Reading", "`bug`", "taken out", "## System prompt", "> Be brief.", "## codex", "> Hello",
             "## Assistant", "I read it.", "*7 tokens in, 3 out*"]  # fmt: skip
    places = [text.index(words) for words in order]
    assert places == sorted(places)


def test_a_fence_inside_a_result_does_not_end_it() -> None:
    call = Message("assistant", (ToolCall("c", "run", "```\n# not a heading\n````\n"),))
    text = written([started("e1", "c1"), RoundEnded("e1", "c1", 1, call, "stop", None, 2.0)])
    headings = [token for token in MarkdownIt().parse(text) if token.type == "heading_open"]
    assert len(headings) == 4, "title, system prompt, question and answer"


def test_headings_of_an_answer_go_down_but_not_those_in_code() -> None:
    answer = Message("assistant", (Text("# Big\n\n```sh\n# a comment\n```\n\n## Small"),))
    text = written([started("e1", "c1"), RoundEnded("e1", "c1", 1, answer, "stop", None, 2.0)])
    assert "\n### Big\n" in text and "\n# a comment\n" in text and "\n#### Small\n" in text


def test_a_title_is_no_markup_and_two_conversations_are_kept_apart() -> None:
    text = written([started("e1", "c1", text="*x* [a](b) 1 * 2 <i>")], list(sample_conversation()))
    assert r"# x a 1 \* 2 \<i\>" in text
    assert "\n---\n" in text
    assert "> **Error:** rate limit: Rate limit reached" in text
