"""Random JSON Schemas, each drawn together with a value that suits it: hypothesis strategies.

`hypothesis-jsonschema` can't draw objects with the present hypothesis, and knows neither `prefixItems` nor recursion.
"""

from typing import Any

from hypothesis import strategies as st

Pair = tuple[Any, Any]
"""A schema and a value that is valid under it."""

NAMES = st.sampled_from(["a", "b", "path", "x-y", "größe", "with space", "$id2", "名", "kind", "0"])
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["", "two\nlines", "tab\there", "a\u00a0b", "a\u200bb", "\r\n", "\u2028", "null", "1", " x ", "ﬁ"]),
)
NUMBERS = st.one_of(
    st.integers(-5, 5),
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1.0, -0.0, 1e300, 0.1, 1e-7]),
)
PLAIN = st.one_of(TEXTS, st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False))
ANYTHING = st.recursive(
    PLAIN, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)), max_leaves=5
)


def _leaf() -> st.SearchStrategy[Pair]:
    def choices(values: list[Any]) -> st.SearchStrategy[Pair]:
        return st.sampled_from(values).map(lambda value: ({"enum": values}, value))

    whole = NUMBERS.filter(lambda value: isinstance(value, int))
    return st.one_of(
        TEXTS.map(lambda value: ({"type": "string"}, value)),
        TEXTS.map(lambda value: ({"type": "string", "maxLength": len(value), "description": "file content"}, value)),
        whole.map(lambda value: ({"type": "integer", "minimum": value}, value)),
        NUMBERS.map(lambda value: ({"type": "number", "default": 3}, value)),
        st.booleans().map(lambda value: ({"type": "boolean", "default": True}, value)),
        st.just(({"type": "null"}, None)),
        st.one_of(TEXTS, st.none()).map(lambda value: ({"type": ["string", "null"]}, value)),
        ANYTHING.map(lambda value: ({}, value)),
        ANYTHING.map(lambda value: (True, value)),
        PLAIN.map(lambda value: ({"const": value}, value)),
        st.lists(PLAIN, min_size=1, max_size=6, unique_by=repr).flatmap(choices),
        st.integers().map(lambda value: ({"$ref": "#/$defs/shared"}, {"n": value})),
        TREES.map(lambda value: ({"$ref": "#/$defs/node"}, value)),
        TEXTS.map(lambda value: ({"minLength": 0, "title": "no type"}, value)),
        st.sampled_from(["2026-01-31", "1999-12-01"]).map(lambda value: ({"type": "string", "format": "date"}, value)),
        st.sampled_from(["ab-1", "z-99"]).map(lambda value: ({"type": "string", "pattern": "^[a-z]+-[0-9]+$"}, value)),
    )


TREES = st.recursive(
    st.fixed_dictionaries({"name": st.text(max_size=3)}),
    lambda inner: st.fixed_dictionaries({"name": TEXTS, "children": st.lists(inner, max_size=2)}),
    max_leaves=4,
)


@st.composite
def _object(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    fields = draw(st.dictionaries(NAMES, inner, max_size=4))
    required = draw(st.lists(st.sampled_from(sorted(fields)), unique=True)) if fields else []
    there = [name for name in fields if name in required or draw(st.booleans())]
    value = {name: fields[name][1] for name in draw(st.permutations(there))}
    schema: dict[str, Any] = {"type": "object", "properties": {name: one[0] for name, one in fields.items()}}
    if required:
        schema["required"] = required
    match draw(st.sampled_from(["silent", "closed", "typed", "patterns"])):
        case "closed":
            schema["additionalProperties"] = False
        case "typed":
            extra = draw(inner)
            schema["additionalProperties"] = extra[0]
            if draw(st.booleans()):
                value["extra"] = extra[1]
        case "patterns":
            schema["patternProperties"] = {"^p_": {"type": "boolean"}}
            value["p_1"] = draw(st.booleans())
        case _:
            if draw(st.booleans()):
                value["unlisted"] = draw(ANYTHING)
    return schema, value


@st.composite
def _list(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    if draw(st.booleans()):
        first = draw(st.lists(inner, min_size=1, max_size=3))
        schema: dict[str, Any] = {"type": "array", "prefixItems": [one[0] for one in first]}
        if draw(st.booleans()):
            schema["items"] = False
        return schema, [one[1] for one in first[: draw(st.integers(0, len(first)))]]
    schema_, value = draw(inner)
    return {"type": "array", "items": schema_}, [value] * draw(st.integers(0, 3))


@st.composite
def _combined(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    match draw(st.sampled_from(["any", "nullable", "told", "all"])):
        case "any":
            several = draw(st.lists(inner, min_size=2, max_size=3))
            return {"anyOf": [one[0] for one in several]}, draw(st.sampled_from(several))[1]
        case "nullable":
            schema, value = draw(inner)
            return {"anyOf": [schema, {"type": "null"}], "default": None}, draw(st.sampled_from([value, None]))
        case "told":
            pairs = draw(st.lists(inner, min_size=2, max_size=3))
            shapes = [
                {"type": "object", "properties": {"tell": {"const": f"k{n}"}, "v": one[0]}, "required": ["tell"]}
                for n, one in enumerate(pairs)
            ]
            chosen = draw(st.integers(0, len(pairs) - 1))
            return {"oneOf": shapes}, {"tell": f"k{chosen}", "v": pairs[chosen][1]}
        case _:
            (a, x), (b, y) = draw(inner), draw(inner)
            parts = [{"type": "object", "properties": {"m": a}}, {"properties": {"n": b}, "required": ["n"]}]
            return {"allOf": parts}, {"m": x, "n": y}


_INNER = st.recursive(_leaf(), lambda inner: st.one_of(_object(inner), _list(inner), _combined(inner)), max_leaves=5)
_DEFINITIONS: dict[str, Any] = {
    "shared": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    "node": {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
    },
}

DESCRIBED: st.SearchStrategy[Pair] = _object(_INNER).map(lambda pair: ({**pair[0], "$defs": _DEFINITIONS}, pair[1]))
"""A schema of arguments, and arguments that suit it."""
