"""A page tells what a call caused at an MCP server, and nothing in a message becomes active."""

from dataclasses import replace

from tests.core.timeline.test_frames import TALK

from callgate.export.html import messages_html


def test_messages_are_folded_with_their_times_and_ids() -> None:
    page = messages_html(TALK)
    assert page.count('<details class="message">') == len(TALK) and "6 messages with the MCP server git" in page
    assert "answer to tools/call" in page and "+1,800 ms · id 3 · 120 B" in page
    assert messages_html(()) == ""


def test_what_a_server_says_is_only_text() -> None:
    evil = replace(TALK[0], text='{"a":"<script>alert(1)</script>"}', method="<b>x</b>", source="<i>s</i>")
    page = messages_html([evil, replace(evil, role="error", text="<img src=x>"), replace(evil, text="")])
    assert "<script" not in page and "<b>" not in page and "<i>" not in page and "<img" not in page
    assert "was not kept" in page and 'class="c-denied"' in page


def test_of_very_many_the_first_are_shown_and_a_cut_one_says_so() -> None:
    long = replace(TALK[5], text="{", size=300_000)
    page = messages_html([long, *(replace(TALK[1], id=str(number)) for number in range(149))])
    assert "And 50 more." in page and "The first 200,000 bytes of it." in page
