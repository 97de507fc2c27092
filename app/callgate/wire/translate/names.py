"""Tool names that a target takes, for names that it does not: reversible, and the same each time a history is sent.

Groups of tools become part of the name where the target has no groups. Knows nothing of tools but their names.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from callgate.core.request import WireName
from callgate.core.wire_traits import WireTraits
from callgate.wire.registry import TRAITS

ToolKey = tuple[str, str]
"""Group and name: what a tool is called in the neutral form."""

GROUPED: WireName = "openai-responses"
"""The only wire that groups tools."""

_DIGEST = 8
_JOINT = "__"


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    longest: int
    unfit: re.Pattern[str]
    """A character that may stand nowhere in a name."""
    needs_letter: bool = False
    """True: the first character is a letter or `_`."""


def _rule(traits: WireTraits) -> _Rule:
    begin = "[a-zA-Z_]" if traits.tool_names_begin_with_letter else ""
    rest, longest = traits.tool_name_characters, traits.longest_tool_name
    pattern = rf"{begin}[{rest}]{{0,{longest - 1}}}" if begin else rf"[{rest}]{{1,{longest}}}"
    return _Rule(re.compile(pattern), longest, re.compile(rf"[^{rest}]"), needs_letter=bool(begin))


_RULES: Mapping[WireName, _Rule] = {wire: _rule(traits) for wire, traits in TRAITS.items()}


def is_fit(name: str, target: WireName) -> bool:
    return _RULES[target].pattern.fullmatch(name) is not None


class ToolNames:
    """The names of one request, both ways. A name that fits is never changed."""

    def __init__(self, target: WireName, wanted: Iterable[ToolKey] = ()) -> None:
        self._target: WireName = target
        self._down: dict[ToolKey, ToolKey] = {}
        self._up: dict[ToolKey, ToolKey] = {}
        keys = list(dict.fromkeys(wanted))
        # those that keep their names come first, so that no substitute takes one of them
        for key in sorted(keys, key=lambda key: bool(key[0]) or not is_fit(key[1], target)):
            self.lower(key)

    def lower(self, key: ToolKey) -> ToolKey:
        """What the target is told; the group is empty where it knows none."""
        if key not in self._down:
            lowered = self._fitting(key)
            self._down[key] = lowered
            self._up[lowered] = key
        return self._down[key]

    def restore(self, key: ToolKey) -> ToolKey:
        """What the client calls it; a name that nobody knows is left alone."""
        return self._up.get(key, key)

    def _fitting(self, key: ToolKey) -> ToolKey:
        group, name = key
        kept = group if self._target == GROUPED else ""
        plain = name if kept == group else f"{group}{_JOINT}{name}"
        if is_fit(plain, self._target) and (kept, plain) not in self._up:
            return kept, plain
        attempt = 0
        while (kept, substitute := self._substitute(plain, key, attempt)) in self._up:
            attempt += 1
        return kept, substitute

    def _substitute(self, plain: str, key: ToolKey, attempt: int) -> str:
        rule = _RULES[self._target]
        seed = "\0".join((*key, str(attempt)) if attempt else key)
        digest = hashlib.sha256(seed.encode("utf-8", "replace")).hexdigest()[:_DIGEST]
        prefix = rule.unfit.sub("_", plain)
        if rule.needs_letter and not re.match(r"[a-zA-Z_]", prefix):
            prefix = f"_{prefix}"
        return f"{prefix[: rule.longest - _DIGEST - 1]}_{digest}"
