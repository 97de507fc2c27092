"""A call of a provider's stream in the making.

It is told up to four times: in pieces, whole, in its finished item and in the final response. Clients differ in which
they act on, so all of them must say what was judged.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from callgate.core.deltas import Failed
from callgate.core.errors import Fault
from callgate.core.json.text import dump_text, parse
from callgate.core.messages import CallVariant, Json
from callgate.wire.openai_responses.built_in import built_in_arguments, built_in_name, is_built_in_call
from callgate.wire.openai_responses.lenient import text_at

VARIANTS: dict[str, tuple[CallVariant, str]] = {
    "function_call": ("function", "arguments"),
    "custom_tool_call": ("custom", "input"),
}
"""A call item's type → its variant and the field of its arguments."""

_BUILT_IN: tuple[CallVariant, str] = ("built_in", "")


def variant_of(item: Mapping[str, Json]) -> tuple[CallVariant, str] | None:
    """None: the item is no call that a client would run."""
    return _BUILT_IN if is_built_in_call(item) else VARIANTS.get(text_at(item, "type"))


class Growing:
    """Text in the making; a list, so that a long stream stays linear."""

    __slots__ = ("_fragments",)

    def __init__(self) -> None:
        self._fragments: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._fragments)

    def add(self, text: str) -> None:
        self._fragments.append(text)

    @property
    def text(self) -> str:
        return "".join(self._fragments)

    def agrees(self, whole: str, *, by_meaning: bool) -> bool:
        """Whether the whole is what has come so far and more of it, or the same JSON in another spelling."""
        text = self.text
        return whole.startswith(text) or (by_meaning and _same_json(text, whole))

    def missing(self, whole: str) -> str:
        """What of the whole has not come yet; nothing where the two disagree, as nothing can be taken back."""
        text = self.text
        return whole[len(text) :] if whole.startswith(text) else ""


@dataclass(slots=True)
class PartialCall:
    variant: CallVariant
    key: str
    """The item's field that holds the arguments."""
    part: int = -1
    """-1: held back, because its name is not known yet."""
    id: str = ""
    """As the provider gives it; the one told may differ."""
    name: tuple[str, str] = ("", "")
    """Namespace and name."""
    grown: Growing = field(default_factory=Growing)
    ended: bool = False
    pieces: dict[str | int, str] = field(default_factory=dict[str | int, str])
    """Of a built-in call: commands by their number, and a patch, as events of their own told them."""

    def is_told_in_pieces(self, arguments: Mapping[str, Json]) -> bool:
        """Whether what was told piece by piece is what the finished item says."""
        commands = arguments.get("commands")
        whole: dict[str | int, Json] = dict(enumerate(commands)) if isinstance(commands, list) else {}
        whole["diff"] = arguments.get("diff")
        return all(whole.get(place) == text for place, text in self.pieces.items())

    def is_told_by(self, item: Mapping[str, Json]) -> bool:
        """Whether an item of the final response says the same of it."""
        return self.name == name_of(item) and _same_json(self.grown.text or "{}", arguments_in(item, self.key) or "{}")

    def contradicted(self, what: str) -> Failed:
        """It cannot be told which of two things the client would run."""
        named = f"'{self.name[1]}'" if self.name[1] else "a tool"
        return Failed(Fault("upstream", f"the provider contradicts itself about {what} in a call of {named}"))


def name_of(item: Mapping[str, Json]) -> tuple[str, str]:
    if is_built_in_call(item):
        return "", built_in_name(item)
    return text_at(item, "namespace"), text_at(item, "name")


def arguments_in(item: Mapping[str, Json], key: str) -> str:
    if is_built_in_call(item):
        return built_in_arguments(item)
    given = item.get(key)
    return dump_text(given) if isinstance(given, dict | list) else text_at(item, key)


def _same_json(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return parse(one) == parse(other)
    except ValueError:
        return False
