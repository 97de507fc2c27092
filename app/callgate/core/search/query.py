"""What a person types to find a conversation: words, "quoted phrases", and `agent:` `model:` `tool:` `tag:`. Pure.

Nothing that can be typed is a mistake: an open quote ends with the text, a field that is not known is a word.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

FIELDS: Final = ("agent", "model", "tool", "tag")
_PIECE: Final = re.compile(r'(?:(?P<field>[A-Za-z]+):)?(?:"(?P<phrase>[^"]*)(?P<closed>"?)|(?P<word>[^\s"]+))')
_MOST_WORDS: Final = 12
"""More than anybody types; a pasted page of text must not become a query of a thousand terms."""


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    exact: bool = False
    """True: as it stands; else the beginning of a word is enough."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    words: tuple[Word, ...] = ()
    agents: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.words or self.agents or self.models or self.tools or self.tags)


def read_query(text: str) -> SearchQuery:
    words: list[Word] = []
    fields: dict[str, list[str]] = {field: [] for field in FIELDS}
    for found in _PIECE.finditer(text.replace("\0", " ")):
        field = (found["field"] or "").lower()
        quoted = found["word"] is None
        said = found["phrase"] if quoted else found["word"]
        if field in fields:
            if said.strip():
                fields[field].append(said.strip())
            continue
        if found["field"]:
            said = f"{found['field']}:{said}"
        if any(character.isalnum() for character in said):
            # an open quote is still being typed: its last word may be half of one
            words.append(Word(said.strip(), exact=quoted and bool(found["closed"])))
    kept = tuple(dict.fromkeys(words))[:_MOST_WORDS]
    return SearchQuery(kept, *(tuple(fields[field]) for field in FIELDS))


def fits(value: str, wanted: str) -> bool:
    """Whether a name is what a field asks for: any part of it will do, or a pattern with * and ?."""
    low, pattern = value.casefold(), wanted.casefold()
    return fnmatchcase(low, pattern) if "*" in pattern or "?" in pattern else pattern in low
