"""The page holds everything that was said as text, nothing of it as markup, and asks nobody for anything."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

from tests.fakes.chromium import needs_chromium, open_page
from tests.fakes.samples import sample_conversation
from tests.store.samples import a_conversation, marked, started

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import Event, RoundEnded
from callgate.core.messages import Image, Message, Reasoning, Text, ToolCall
from callgate.export.format import ExportAbout
from callgate.export.html import HtmlWriter
from callgate.export.record import ConversationRecord
from callgate.wire.registry import TRAITS

ABOUT = ExportAbout("1.0", 1_760_000_000.0, redacted=True, wires=TRAITS)
HOSTILE = (
    '<script>fetch("http://evil.test/a")</script><img src="http://evil.test/b.png">'
    "![x](http://evil.test/c.png) [click](javascript:alert(1)) [link](https://example.com/?a=1&b=2)\n\n"
    '<style>@import url("http://evil.test/d.css")</style><iframe src="http://evil.test/e"></iframe>'
)


def record(events: list[Event]) -> ConversationRecord:
    summary: ConversationSummary | None = None
    for event in events:
        summary = summarize(summary, event)
    assert summary is not None
    return ConversationRecord(summary, tuple(events))


def page(*records: ConversationRecord) -> str:
    writer = HtmlWriter(ABOUT, "A <title>")
    return writer.begin() + "".join(writer.conversation(each) for each in records) + writer.end()


def hostile() -> ConversationRecord:
    parts = (
        Text(HOSTILE),
        Reasoning(HOSTILE),
        ToolCall("c", "<b>tool</b>", f'{{"x": "{"<script>"}"}}'),
        Image(url="http://evil.test/f"),
    )
    return record(
        [started("e1", "c1", text=HOSTILE), RoundEnded("e1", "c1", 1, Message("assistant", parts), "stop", None, 2.0)]
    )


class Reader(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_nothing_that_was_said_becomes_markup() -> None:
    read = Reader(page(hostile()))
    assert read.open == [], "every tag is closed"
    names = {tag for tag, _ in read.tags}
    assert not names & {"script", "iframe", "link", "object", "embed", "form", "input", "base", "img", "button"}
    assert [tag for tag, _ in read.tags].count("style") == 1
    for tag, attributes in read.tags:
        assert not any(name.startswith("on") for name in attributes), tag
        assert "src" not in attributes
        if "href" in attributes:
            # a picture became a link: nobody goes there without a click
            assert attributes["href"] in ("https://example.com/?a=1&b=2", "http://evil.test/c.png")
            assert attributes["rel"] == "noreferrer noopener"


def test_the_policy_allows_this_style_and_nothing_else() -> None:
    text = page(hostile())
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.S)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = next(attributes["content"] for tag, attributes in Reader(text).tags if "http-equiv" in attributes)
    assert policy is not None
    assert "default-src 'none'" in policy and f"style-src 'sha256-{digest}'" in policy
    assert "url(" not in style and "@import" not in style


def test_a_whole_conversation_is_told() -> None:
    text = page(record([*a_conversation(), marked()]), record(list(sample_conversation())))
    for words in ("Reading", "bug", "I read it.", "read_file", "completed, allowed by a rule", "Reasoning",
                  "System prompt", "7 tokens in, 3 out", "Rate limit reached", "waiting for a person",
                  "Keys, tokens and passwords were taken out."):  # fmt: skip
        assert words in text, words
    assert 'src="data:image/png;base64,aGk="' in text
    assert "<strong>before</strong>" in text, "answers are Markdown"
    assert "A &lt;title&gt;" in text


@needs_chromium
def test_a_browser_shows_it_and_asks_for_nothing(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(page(hostile()), "utf-8")
    seen = open_page(file, tmp_path / "a")
    assert seen.asked == ()
    assert "&lt;script&gt;fetch" in seen.dom, "what was said is there to be read"
    file.write_text('<img src="http://evil.test/x.png">', "utf-8")
    asked = open_page(file, tmp_path / "b").asked
    assert [one for one in asked if b"evil.test" in one], "else the proxy hears nothing"
