"""What a tool says of a call to the person who decides it: templates of a tool, or the words once filled in. Pure.

A `{name}` stands for an argument; `{a.b}` reaches into an object. Words explain a call and never stand in for its
arguments: those are always shown, whole.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import orjson

from callgate.core.json.dotted_path import reach
from callgate.core.messages import Json

LONGEST_VALUE = 120
"""Characters of one argument within a sentence; the whole of it stands below."""

_PLACE = re.compile(r"\{([A-Za-z_][\w.-]*)\}")
_SPACE = re.compile(r"\s+")
_TICKS = re.compile(r"`+")


@dataclass(frozen=True, slots=True)
class Wording:
    title: str = ""
    """The question in few words: “Delete notes.txt?”"""
    message: str = ""
    """What will happen, in Markdown."""
    invocation_message: str = ""
    """While it runs: “Deleting notes.txt”"""
    past_tense_message: str = ""
    """When it has run: “Deleted notes.txt”"""
    disclaimer: str = ""
    """What the person should bear in mind."""
    review_result: bool = False
    """Whether a person should see the result before the model does."""

    def filled(self, arguments: Mapping[str, Json]) -> "Wording":
        """The same with the arguments in their places; those that are not there leave nothing."""
        return replace(
            self,
            title=_plain(self.title, arguments),
            message=_PLACE.sub(lambda place: _code(_value(place[1], arguments)), self.message),
            invocation_message=_plain(self.invocation_message, arguments),
            past_tense_message=_plain(self.past_tense_message, arguments),
        )

    @property
    def places(self) -> frozenset[str]:
        """The names of the arguments that it speaks of."""
        texts = (self.title, self.message, self.invocation_message, self.past_tense_message)
        return frozenset(place.partition(".")[0] for text in texts for place in _PLACE.findall(text))


def unknown_places(wording: Wording, schema: Mapping[str, Json]) -> list[str]:
    """Arguments that the words speak of and the schema does not have."""
    properties = schema.get("properties")
    return sorted(wording.places - set(properties if isinstance(properties, Mapping) else ()))


def _plain(template: str, arguments: Mapping[str, Json]) -> str:
    return _SPACE.sub(" ", _PLACE.sub(lambda place: _value(place[1], arguments), template)).strip()


def _value(path: str, arguments: Mapping[str, Json]) -> str:
    found = [_text(value) for value in reach(dict(arguments), path.split("."))]
    text = _SPACE.sub(" ", ", ".join(found)).strip()
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def _text(value: object) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _code(text: str) -> str:
    """As a code span that nothing in the text can end: a model writes it, and it must not become markup."""
    if not text:
        return ""
    fence = "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
