"""From a JSON Schema to the fields of a form, one place at a time. Pure; never raises for a schema that is odd.

What no field can describe becomes a raw one, so a form can always be made.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import regex

from callgate.core.messages import Json
from callgate.core.schema.form_plan import (
    Branch,
    BranchPlan,
    Choice,
    ChoicePlan,
    FlagPlan,
    ListPlan,
    NullPlan,
    NumberPlan,
    ObjectPlan,
    Plan,
    Property,
    RawPlan,
    SubSchema,
    TextPlan,
)
from callgate.core.schema.form_schema import Flat, Schemas, Undescribed, merge, types_of
from callgate.core.schema.form_value import spelled
from callgate.core.schema.form_words import about, format_word, type_word

_SHAPES: Final = frozenset({"$ref", "type", "properties", "items", "prefixItems", "enum", "const", "anyOf", "oneOf"})
"""A branch with none of these only adds a condition."""
_OBJECT_SIGNS: Final = frozenset(
    {"properties", "required", "additionalProperties", "patternProperties", "minProperties", "propertyNames"}
)
_LIST_SIGNS: Final = frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"})
_TEXT_SIGNS: Final = frozenset({"pattern", "minLength", "maxLength", "format"})
_NUMBER_SIGNS: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_LONG_NAMES: Final = regex.compile(
    r"(?i)\b(multi.?line|new ?lines?|file contents?|content of|source code|markdown|script|patch|diff)\b"
)
_PATTERN_SECONDS: Final = 0.02
"""A stranger's regular expression over a short name; longer and it is one that never ends."""
_KEPT_PLANS: Final = 500
_LONG: Final = 200
"""A text that may not be longer than that fits a line."""


class Planner:
    """Plans the places of one schema."""

    def __init__(self, root: Mapping[str, Json]) -> None:
        self.schemas = Schemas(root)
        self._plans: dict[int, tuple[SubSchema, Plan]] = {}
        """Plans by the identity of their schema, which is kept with them so that it stays its own."""

    def plan(self, schema: SubSchema) -> Plan:
        known = self._plans.get(id(schema))
        if known is not None:
            return known[1]
        if len(self._plans) >= _KEPT_PLANS:
            self._plans.clear()
        made = self._made(schema)
        self._plans[id(schema)] = (schema, made)
        return made

    def _made(self, schema: SubSchema) -> Plan:
        try:
            return self._plan(self.schemas.flat(schema))
        except Undescribed as why:
            given = schema if isinstance(schema, dict) else {}
            return RawPlan(about(given, "JSON"), str(why))

    def field_schema(self, plan: ObjectPlan, name: str) -> SubSchema:
        """What a field of an object holds, listed or not."""
        listed = plan.listed.get(name)
        if listed is not None:
            return listed.schema
        found = [schema for pattern, schema in plan.patterns if _names(pattern, name)]
        if found:
            return found[0] if len(found) == 1 else _all_of(found)
        return True if plan.extra is False else plan.extra

    # ---- one place --------------------------------------------------------------------------------------------------

    def _plan(self, flat: Flat) -> Plan:
        if "const" in flat:
            word, value = _words([flat["const"]])[0]
            return ChoicePlan(about(flat, "constant"), (Choice(word, value),))
        values = flat.get("enum")
        if isinstance(values, list) and values:
            kind = "choice"
            return ChoicePlan(about(flat, kind), tuple(Choice(word, value) for word, value in _words(values)))
        branches = self.branches(flat)
        if branches:
            return self._branched(flat, branches)
        types = types_of(flat)
        if len(types) > 1:
            found = tuple(Branch(type_word(one), {**flat, "type": one}) for one in types)
            return BranchPlan(about(flat), found)
        return self._typed(flat, types[0] if types else _guessed(flat))

    def _typed(self, flat: Flat, kind: str) -> Plan:
        match kind:
            case "string":
                return _text(flat)
            case "number" | "integer":
                return NumberPlan(about(flat, type_word(kind)), kind == "integer")
            case "boolean":
                return FlagPlan(about(flat))
            case "null":
                return NullPlan(about(flat))
            case "object":
                return self._object(flat)
            case "array":
                return _list(flat)
            case _:
                return RawPlan(about(flat, "any JSON"))

    # ---- branches ---------------------------------------------------------------------------------------------------

    def branches(self, flat: Flat) -> tuple[Branch, ...]:
        """The shapes that a flat schema lets one choose from; empty = it has but one."""
        for key in ("oneOf", "anyOf"):
            given = flat.get(key)
            if isinstance(given, list) and given and any(_is_shape(one) for one in given):
                rest: Flat = {name: value for name, value in flat.items() if name not in (key, "title", "description")}
                return self._possible(rest, given)
        return ()

    def _possible(self, rest: Flat, given: list[Json]) -> tuple[Branch, ...]:
        found: list[Branch] = []
        bare: Flat = {name: value for name, value in rest.items() if name not in ("default", "examples")}
        for number, one in enumerate(given, 1):
            try:
                own = self.schemas.flat(one)
                merge(bare, own)
            except Undescribed as why:
                if "elsewhere" not in str(why):
                    continue
                own = {}
            label = self._label(one, own) or f"shape {number}"
            taken = {branch.label for branch in found}
            label = f"{label} ({number})" if label in taken else label
            found.append(Branch(label, {"allOf": [bare, one]} if bare else one))
        return tuple(found)

    def _branched(self, flat: Flat, branches: tuple[Branch, ...]) -> Plan:
        choices: list[Choice] = []
        for branch in branches:
            own = self.schemas.flat(branch.schema)
            values = own.get("enum")
            if "const" in own:
                choices.append(Choice(_title(own) or _words([own["const"]])[0][0], own["const"]))
            elif isinstance(values, list):
                choices.extend(Choice(word, value) for word, value in _words(values))
            else:
                break
        else:
            return ChoicePlan(about(flat, "choice"), tuple(choices))
        if len(branches) == 1:
            outer: Flat = {key: flat[key] for key in ("title", "description", "default", "examples") if key in flat}
            return self.plan({"allOf": [branches[0].schema, outer]})
        kinds = " or ".join(dict.fromkeys(branch.label for branch in branches))
        return BranchPlan(about(flat, kinds if len(kinds) < _LONG // 5 else "several shapes"), branches)

    def _label(self, given: SubSchema, own: Flat) -> str:
        """What tells a branch from the others: its title, its name, its telling field, its type."""
        if _title(own):
            return _title(own)
        reference = given.get("$ref") if isinstance(given, dict) else None
        if isinstance(reference, str) and reference.rpartition("/")[2].strip("#"):
            return reference.rpartition("/")[2]
        properties = own.get("properties")
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            if isinstance(schema, dict) and isinstance(schema.get("const"), str):
                return f"{name}: {schema['const']}"
        if "const" in own:
            return spelled(own["const"])
        if isinstance(own.get("enum"), list):
            return "choice"
        types = types_of(own) or ((_guessed(own),) if _guessed(own) else ())
        return " or ".join(type_word(one) for one in types)

    # ---- containers -------------------------------------------------------------------------------------------------

    def _object(self, flat: Flat) -> ObjectPlan:
        needed = flat.get("required")
        required = {name for name in needed if isinstance(name, str)} if isinstance(needed, list) else set[str]()
        named: dict[str, SubSchema] = dict(_listed(flat))
        for name, schema in self._conditional(flat):
            named.setdefault(name, schema)
        patterns = flat.get("patternProperties")
        given = tuple((name, schema) for name, schema in patterns.items()) if isinstance(patterns, dict) else ()
        extra = flat.get("additionalProperties", flat.get("unevaluatedProperties", True))
        bare = ObjectPlan(about(flat), (), given, extra)
        for name in required - named.keys():
            named[name] = self.field_schema(bare, name)
        order = [*named] if not required - set(dict(_listed(flat))) else sorted(named, key=lambda one: one in required)
        return ObjectPlan(
            bare.about,
            tuple(Property(name, named[name], name in required) for name in order if named[name] is not False),
            given,
            extra,
            (extra is not False and ("additionalProperties" in flat or (not named and "properties" not in flat)))
            or bool(given),
        )

    def _conditional(self, flat: Flat) -> Iterator[tuple[str, Json]]:
        """Fields that are only spoken of in conditions: they may be there, so they are offered."""
        parts: list[Json] = [flat[key] for key in ("if", "then", "else") if key in flat]
        for key in ("anyOf", "oneOf"):
            given = flat.get(key)
            parts.extend(given if isinstance(given, list) else ())
        for key in ("dependentSchemas", "dependencies"):
            given = flat.get(key)
            parts.extend(given.values() if isinstance(given, dict) else ())
        for part in parts:
            if isinstance(part, dict):
                try:
                    yield from ((n, s) for n, s in _listed(self.schemas.flat(part)) if isinstance(s, dict) and s)
                except Undescribed:
                    continue


def _text(flat: Flat) -> TextPlan:
    format_, most = flat.get("format"), flat.get("maxLength")
    short = isinstance(most, int) and most <= _LONG
    words = f"{flat.get('title', '')} {flat.get('description', '')}"
    long = not short and not format_ and (_LONG_NAMES.search(words) is not None or "contentMediaType" in flat)
    named = format_ if isinstance(format_, str) else ""
    return TextPlan(about(flat, format_word(named) if flat.get("type") == "string" else ""), named, long)


def _list(flat: Flat) -> ListPlan:
    items = flat.get("items", flat.get("unevaluatedItems", True))
    first = flat.get("prefixItems")
    if isinstance(items, list):  # how drafts before 2020 wrote `prefixItems`
        first, items = items, flat.get("additionalItems", True)
    fewest, most = flat.get("minItems"), flat.get("maxItems")
    return ListPlan(
        about(flat),
        tuple(first) if isinstance(first, list) else (),
        items,
        int(fewest) if isinstance(fewest, int | float) else 0,
        int(most) if isinstance(most, int | float) else None,
    )


def _listed(flat: Flat) -> Iterator[tuple[str, Json]]:
    properties = flat.get("properties")
    if isinstance(properties, dict):
        yield from properties.items()


def _guessed(flat: Flat) -> str:
    """The type that keywords speak of, where none is named. A value of another type is shown raw."""
    for kind, signs in (
        ("object", _OBJECT_SIGNS),
        ("array", _LIST_SIGNS),
        ("string", _TEXT_SIGNS),
        ("number", _NUMBER_SIGNS),
    ):
        if signs & flat.keys():
            return kind
    return ""


def _is_shape(branch: Json) -> bool:
    return isinstance(branch, dict) and bool(_SHAPES & branch.keys())


def _words(values: list[Json]) -> list[tuple[str, Json]]:
    """Text without quotes, where it can't be mistaken for another kind of value."""
    bare = all(isinstance(value, str) and value for value in values)
    return [(str(value) if bare else spelled(value), value) for value in values]


def _title(flat: Flat) -> str:
    title = flat.get("title")
    return title if isinstance(title, str) else ""


def _names(pattern: str, name: str) -> bool:
    try:
        return regex.search(pattern, name, timeout=_PATTERN_SECONDS) is not None
    except (regex.error, TimeoutError):
        return False


def _all_of(found: list[SubSchema]) -> SubSchema:
    return {"allOf": found}
