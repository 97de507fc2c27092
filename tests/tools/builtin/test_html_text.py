import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.tools.builtin.html_text import html_to_text

PAGE = """<!doctype html><html><head><title>A &amp; B</title><style>p{color:red}</style>
<script>alert("<p>no</p>")</script></head>
<body><h1>Head</h1><p>First
   line &mdash; <a href="/about">about</a> and <a href="https://else.example/x">else</a>.</p>
<ul><li>one</li><li>two</li></ul><pre>a
  b</pre><img src="http://tracker.example/p.gif" alt="x"><iframe src="http://x/">no</iframe>
<noscript>no</noscript><a href="javascript:alert(1)">click</a> <a href="#top">top</a></body></html>"""


def test_a_page_becomes_its_text_with_its_links() -> None:
    assert html_to_text(PAGE, "https://site.example/dir/page").splitlines() == [
        "A & B",
        "",
        "Head",
        "",
        "First line — about <https://site.example/about> and else <https://else.example/x>.",
        "",
        "- one",
        "- two",
        "",
        "a",
        "  b",
        "click top",
    ]


@pytest.mark.parametrize(
    "html", ["", "<", "<p", "</p></p>", "<script>", "<a href='http://[x'>y</a>", "&#xfffffff;", "<title>"]
)
def test_broken_html_is_read_as_far_as_it_goes(html: str) -> None:
    assert "script" not in html_to_text(html, "http://x/")


@given(st.text(alphabet="<>/ap='\"!- scriptbody&;#", max_size=60))
def test_no_html_breaks_the_reader(html: str) -> None:
    html_to_text(html, "http://x/")


def test_text_after_a_head_that_was_never_closed_is_seen() -> None:
    assert html_to_text("<head><meta><noscript><body>seen", "http://x/") == "seen"
    assert html_to_text("<p>a<svg><title>icon</title></svg>b", "http://x/") == "ab"
