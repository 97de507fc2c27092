"""What a person says about a conversation: its name, tags, whether it is pinned, where it came from. Values only."""

import re
from dataclasses import dataclass
from typing import Final

LONGEST_NAME: Final = 200
LONGEST_TAG: Final = 30
MOST_TAGS: Final = 12
_BLANKS: Final = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class Marks:
    name: str = ""
    """Shown in place of the title; empty = the title as it was found."""
    pinned: bool = False
    tags: tuple[str, ...] = ()
    origin: str = ""
    """The file that it was imported from; empty = it happened here. Such a conversation is only for looking."""


def read_name(text: str) -> str:
    """A name as it is kept: one line, not endless."""
    return " ".join(text.split())[:LONGEST_NAME]


def read_tags(text: str) -> tuple[str, ...]:
    """Tags from what a person typed: words between commas or blanks, each once, in lower case, in their order."""
    words = (word.strip("#").lower()[:LONGEST_TAG] for word in _BLANKS.split(text))
    return tuple(dict.fromkeys(word for word in words if word))[:MOST_TAGS]
