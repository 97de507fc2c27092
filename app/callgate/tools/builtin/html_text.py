"""HTML as plain text, with the addresses of its links. Nothing of it is run, loaded or rendered."""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

_UNSEEN = {"script", "style", "noscript", "template", "svg", "iframe", "object", "select"}
_BLOCKS = {
    *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "figure", "footer"),
    *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section"),
    *("table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul"),
}
_SPACES = re.compile(r"[ \t\r\f\v]+")
_KEPT_SPACE = "\u00a0"
"""Stands for a space of preformatted text while the others are squeezed: the indentation of code has a meaning."""
_BLANK_LINES = re.compile(r"\n{3,}")


def html_to_text(html: str, address: str) -> str:
    """The text that a reader would see; `address` makes relative links whole."""
    reader = _TextReader(address)
    reader.feed(html)
    reader.close()
    lines = (_SPACES.sub(" ", line).strip(" ") for line in "".join(reader.out).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip("\n ").replace(_KEPT_SPACE, " ")


class _TextReader(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self._address = address
        self._unseen: list[str] = []
        self._links: list[str] = []
        self._verbatim = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen.append(tag)
        elif tag == "body":
            self._unseen.clear()  # something in the head that was never closed
        self._verbatim += tag == "pre"
        if tag in _BLOCKS:
            self._put("\n- " if tag == "li" else "\n")
        if tag == "a":
            self._links.append(dict(attrs).get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]
        self._verbatim = max(self._verbatim - (tag == "pre"), 0)
        if tag in _BLOCKS and tag != "li":
            self._put("\n")
        if tag == "a" and self._links:
            self._end_link(self._links.pop())

    def handle_data(self, data: str) -> None:
        if self._verbatim:
            self._put(data.replace("\r\n", "\n").expandtabs(4).replace(" ", _KEPT_SPACE))
        else:
            self._put(data.replace("\n", " ").replace(_KEPT_SPACE, " "))

    def _put(self, text: str) -> None:
        if not self._unseen:
            self.out.append(text)

    def _end_link(self, target: str) -> None:
        try:
            whole = urljoin(self._address, target)
        except ValueError:  # not an address at all
            return
        if target and not target.startswith("#") and whole.startswith(("http://", "https://")):
            self._put(f" <{whole}>")
