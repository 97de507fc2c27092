"""Results stand in the page as what they are; whatever they hold is only text there."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.messages import File, Image, Text
from callgate.export.html_result import MOST_ROWS, code_html, json_html, picture_html, result_html


def shown(text: str, *, is_error: bool = False) -> str:
    return result_html((Text(text),), lambda said: f"<markdown>{said}</markdown>", is_error=is_error)


def test_rows_of_one_shape_are_a_table_with_numbers_to_the_right() -> None:
    page = shown('[{"file": "a<b>", "hits": 12, "flaky": true}, {"file": "b", "hits": 3, "flaky": null}]')
    assert '<th>file</th><th class="number">hits</th><th>flaky</th>' in page
    assert '<td>a&lt;b&gt;</td><td class="number">12</td><td><span class="c-text3">true</span></td>' in page
    assert page.count("<tr>") == 3


def test_of_a_long_table_the_rest_is_told_by_number() -> None:
    page = shown("[" + ", ".join(f'{{"n": {number}}}' for number in range(MOST_ROWS + 7)) + "]")
    assert page.count("<tr>") == MOST_ROWS + 1 and "and 7 more rows" in page


def test_a_diff_has_its_lines_coloured() -> None:
    page = shown("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old <i>\n+new\n")
    assert page.startswith('<pre class="diff">')
    assert '<span class="line removed">-old &lt;i&gt;\n</span>' in page
    assert '<span class="line added">+new\n</span>' in page
    assert '<span class="line head">--- a/x\n</span>' in page and '<span class="line place">@@' in page


def test_terminal_output_keeps_its_colours_and_says_how_it_ended() -> None:
    page = shown("\x1b[1;31mFAILED\x1b[0m \x1b[38;2;10;180;120mok\x1b[0m <b>\x07\n[exit code 3]")
    assert '<span class="bold ink-red">FAILED</span> <span class="ink-green">ok</span> &lt;b&gt;</pre>' in page
    assert '<div class="label c-denied">exit code 3</div>' in page


def test_json_is_laid_out_and_coloured() -> None:
    page = shown('{"a": {"b": [1, "<x>"]}}')
    assert '\n  <span class="c-accent">&quot;a&quot;</span>' in page and "&lt;x&gt;" in page
    assert json_html("no json") == "<pre>no json</pre>" and json_html("12") == "<pre>12</pre>"


def test_markdown_is_read_and_an_error_never_is() -> None:
    said = "# Title\n\nSome **bold** text\n"
    assert "<markdown>" in shown(said) and "<markdown>" not in shown(said, is_error=True)


def test_pictures_come_along_and_those_from_elsewhere_are_only_named() -> None:
    data = base64.b64encode(b"png").decode()
    parts = (Image("image/png", data), Image(url="https://example.com/x.png"), File("text/plain", data, name="n.txt"))
    page = result_html(parts, str)
    assert f'src="data:image/png;base64,{data}"' in page
    assert "Image: https://example.com/x.png" in page and 'src="https' not in page
    assert "Attachment: n.txt" in page
    assert "<img" not in picture_html("image/svg+xml", data) and "<img" not in picture_html("image/png", '"><script>')


@pytest.mark.parametrize("language", ["python", "no such language", ""])
def test_code_is_never_markup(language: str) -> None:
    page = code_html("if x < 1: print('<b>')", language)
    assert "<b>" not in page and ("c-executing" in page) is (language == "python")


@given(st.text(alphabet="<>&\"'+-@ [{]}:,\x1b31m\n", max_size=80))
def test_nothing_that_a_tool_says_becomes_markup(text: str) -> None:
    page = shown(text)
    for tag in (
        "<pre",
        "</pre",
        "<span",
        "</span",
        "<div",
        "</div",
        "<table",
        "</table",
        "<t",
        "</t",
        "<markdown",
        "</m",
    ):
        page = page.replace(tag, "")
    assert "<" not in page
