"""Markdown without its marks, for places of one line: titles and the few words around a hit. Pure.

Takes away only what can hardly be anything else: pairs around words, what begins a line, the address behind a link.
"""

import re
from typing import Final

_BEGINNING: Final = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?=\S))+", re.MULTILINE)
_FENCE: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^`\n]*$", re.MULTILINE)
_LINK: Final = re.compile(r"!?\[([^\[\]\n]+)\]\([^()\s]*\)")
_CODE: Final = re.compile(r"(`+)(?!`)([^\n]*?[^`\n])\1(?!`)")
_STRONG: Final = re.compile(r"(\*\*|~~)(?=\S)([^\n]*?\S)\1")
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\w*])")


def without_marks(text: str) -> str:
    """The words, with line breaks and blanks as they were."""
    if not any(mark in text for mark in "`*_#>[~-+"):
        return text
    text = _BEGINNING.sub("", _FENCE.sub("", text))
    for pattern, group in ((_LINK, r"\1"), (_CODE, r"\2"), (_STRONG, r"\2"), (_EMPHASIS, r"\1")):
        text = pattern.sub(group, text)
    return text
