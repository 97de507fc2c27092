"""The command line of a tool as a template: a list of texts with places for arguments. Pure; nothing is run here.

{name}    one whole argument, whatever is in it: never split, never seen by a shell
{name?}   the same, and the text falls away where the argument is missing
{name*}   a list: the text once for every item, and not at all for none
{{ }}     braces that mean themselves
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import orjson
import regex

from callgate.core.messages import Json

Count = Literal["one", "optional", "many"]
_PIECE = regex.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+")
_PLACE = regex.compile(r"([A-Za-z_][\w-]*)([?*]?)")
_COUNTS: dict[str, Count] = {"": "one", "?": "optional", "*": "many"}
_END_OF_OPTIONS = "--"


class BadTemplate(ValueError):
    """A template that cannot be read or does not go with the tool's schema."""


class BadValue(ValueError):
    """An argument that must not stand in a command line; the model is told why."""


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    count: Count


@dataclass(frozen=True, slots=True)
class Element:
    """One text of the template: literal pieces and places."""

    pieces: tuple[str | Place, ...]

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(piece for piece in self.pieces if isinstance(piece, Place))


@dataclass(frozen=True, slots=True)
class ArgvTemplate:
    elements: tuple[Element, ...]
    option_values: bool = False
    """True: a text argument may begin with `-` where it would be read as an option."""

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for element in self.elements for place in element.places)

    def fill(self, arguments: Mapping[str, Json]) -> tuple[str, ...]:
        """The command line for these arguments; raises `BadValue`."""
        out: list[str] = []
        after_options = False
        for element in self.elements:
            for text in _filled(element, arguments):
                if "\x00" in text:
                    raise BadValue(f"{_named(element)} contains a NUL character, which no command line can")
                if not (after_options or self.option_values) and _is_smuggled(element, text, arguments):
                    raise BadValue(f"{_named(element)} begins with '-' and would be read as an option: {text!r}")
                out.append(text)
                after_options = after_options or (not element.places and text == _END_OF_OPTIONS)
        return tuple(out)


def read_template(argv: Sequence[str], *, option_values: bool = False) -> ArgvTemplate:
    """Raises `BadTemplate`."""
    if not argv or not argv[0].strip():
        raise BadTemplate("argv names no program")
    elements = tuple(_element(text) for text in argv)
    if elements[0].places:
        raise BadTemplate(f"the program itself can't come from an argument: {argv[0]!r}")
    return ArgvTemplate(elements, option_values)


def check_places(template: ArgvTemplate, schema: Mapping[str, Json]) -> None:
    """Raises `BadTemplate` where a place does not go with what the schema promises."""
    declared = schema.get("properties")
    properties: Mapping[str, Json] = declared if isinstance(declared, dict) else {}
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    for place in template.places:
        if place.name not in properties:
            known = ", ".join(properties) or "none"
            raise BadTemplate(f"argv has {{{place.name}}}, but the schema has no such property (it has: {known})")
        if place.count == "one" and place.name not in needed:
            raise BadTemplate(
                f"argv needs {{{place.name}}}, but the schema does not require it: "
                f"write {{{place.name}?}}, or add it to required"
            )
        shape = properties[place.name]
        kind = shape.get("type") if isinstance(shape, dict) else None
        if place.count == "many" and kind not in (None, "array"):
            raise BadTemplate(f"argv has {{{place.name}*}}, but in the schema {place.name} is no array")


def _element(text: str) -> Element:
    pieces: list[str | Place] = []
    for match in _PIECE.finditer(text):
        piece, inner = match[0], match[1]
        if inner is not None:
            place = _PLACE.fullmatch(inner)
            if place is None:
                raise BadTemplate(f"{piece!r} in {text!r} names no argument; braces that mean themselves are {{{{ }}}}")
            pieces.append(Place(place[1], _COUNTS[place[2]]))
        elif piece in ("{", "}"):
            raise BadTemplate(f"a brace stands alone in {text!r}; one that means itself is written twice")
        else:
            pieces.append({"{{": "{", "}}": "}"}.get(piece, piece))
    element = Element(tuple(pieces))
    if sum(place.count == "many" for place in element.places) > 1:
        raise BadTemplate(f"{text!r} holds more than one list")
    return element


def _filled(element: Element, arguments: Mapping[str, Json]) -> Iterator[str]:
    many = next((place for place in element.places if place.count == "many"), None)
    for place in element.places:
        if arguments.get(place.name) is None and place.count != "many":
            if place.count == "optional":
                return
            raise BadValue(f"{place.name} is missing")
    if many is None:
        yield _joined(element, arguments, None)
        return
    items = arguments.get(many.name)
    for item in items if isinstance(items, list) else () if items is None else (items,):
        yield _joined(element, arguments, item)


def _joined(element: Element, arguments: Mapping[str, Json], item: Json) -> str:
    return "".join(
        piece if isinstance(piece, str) else _text(item if piece.count == "many" else arguments[piece.name])
        for piece in element.pieces
    )


def _text(value: Json) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _is_smuggled(element: Element, text: str, arguments: Mapping[str, Json]) -> bool:
    """Whether a text that the model chose becomes an option of the program."""
    first = element.pieces[0] if element.pieces else ""
    if not isinstance(first, Place) or not text.startswith("-"):
        return False
    value = arguments.get(first.name)
    items = cast(list[Json], value) if first.count == "many" and isinstance(value, list) else [value]
    return any(isinstance(item, str) for item in items)


def _named(element: Element) -> str:
    return " and ".join(place.name for place in element.places) or "the command line"
