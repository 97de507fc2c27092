"""HTML as plain text, with the addresses of its links. Nothing of it is run, loaded or rendered."""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

_UNSEEN = {"script", "style", "noscript", "template", "svg", "iframe", "object", "head", "select"}
_BLOCKS = {
    *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "figure", "footer"),
    *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section"),
    *("table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul"),
}
_SPACES = re.compile(r"[ \t\r\f\v\u00a0]+")
_BLANK_LINES = re.compile(r"\n{3,}")


def html_to_text(html: str, address: str) -> str:
    """The text that a reader would see; `address` makes relative links whole."""
    reader = _TextReader(address)
    reader.feed(html)
    reader.close()
    lines = (_SPACES.sub(" ", line).strip() for line in "".join(reader.out).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


class _TextReader(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self._address = address
        self._unseen: list[str] = []
        self._links: list[str] = []
        self._verbatim = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._unseen.clear()  # stands in the unseen head, and is worth seeing
        if tag in _UNSEEN:
            self._unseen.append(tag)
        elif tag == "body":
            self._unseen.clear()  # a head that was never closed
        self._verbatim += tag == "pre"
        if tag in _BLOCKS:
            self._break(tag)
        if tag == "a":
            self._links.append(dict(attrs).get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]
        self._verbatim = max(self._verbatim - (tag == "pre"), 0)
        if tag in _BLOCKS:
            self._break(tag)
        if tag == "a" and self._links:
            self._end_link(self._links.pop())

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.out.append(data if self._verbatim else data.replace("\n", " "))

    def _break(self, tag: str) -> None:
        if not self._unseen:
            self.out.append("\n- " if tag == "li" and self.out[-1:] != ["\n- "] else "\n")

    def _end_link(self, target: str) -> None:
        try:
            whole = urljoin(self._address, target)
        except ValueError:  # not an address at all
            return
        if target and not target.startswith("#") and whole.startswith(("http://", "https://")) and not self._unseen:
            self.out.append(f" <{whole}>")
