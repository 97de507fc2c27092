"""Random schemas of tools whose arguments can always be filled from what the schema itself says."""

from hypothesis import strategies as st

from callgate.core.messages import Json

_NAMES = st.sampled_from(["path", "query", "limit", "city", "flag", "mode", "items", "options", "note", "url", "n"])


def _limited(kind: str) -> st.SearchStrategy[dict[str, Json]]:
    bounds = st.tuples(st.integers(-50, 50), st.integers(0, 50))
    return st.one_of(
        bounds.map(lambda ends: {"type": kind, "minimum": ends[0], "maximum": ends[0] + ends[1]}),
        st.integers(-50, 50).map(lambda low: {"type": kind, "exclusiveMinimum": low}),
        st.integers(-50, 50).map(lambda high: {"type": kind, "exclusiveMaximum": high}),
        st.just({"type": kind}),
    )


_TEXTS: st.SearchStrategy[dict[str, Json]] = st.one_of(
    st.integers(0, 5).map(lambda least: {"type": "string", "minLength": least}),
    st.lists(st.text(max_size=5), min_size=1, max_size=4, unique=True).map(lambda all_: {"enum": all_}),
    st.just({"type": "string", "pattern": "^[a-z]+$", "default": "abc"}),
    st.text(max_size=5).map(lambda only: {"const": only}),
    st.just({"type": ["string", "null"]}),
    st.just({"anyOf": [{"type": "null"}, {"type": "integer"}]}),
)
_LEAVES: st.SearchStrategy[dict[str, Json]] = st.one_of(
    _limited("integer"), _limited("number"), _TEXTS, st.just({"type": "boolean"})
)


def _larger(inner: st.SearchStrategy[dict[str, Json]]) -> st.SearchStrategy[dict[str, Json]]:
    lists = st.tuples(inner, st.integers(0, 3)).map(
        lambda both: {"type": "array", "items": both[0], "minItems": both[1]}
    )
    return st.one_of(lists, _objects_of(inner))


@st.composite
def _objects_of(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Json]]) -> dict[str, Json]:
    properties = draw(st.dictionaries(_NAMES, inner, max_size=4))
    required = [name for name in properties if draw(st.booleans())]
    return {"type": "object", "properties": dict(properties), "required": list(required), "additionalProperties": False}


def objects() -> st.SearchStrategy[dict[str, Json]]:
    """Schemas of tool arguments."""
    return _objects_of(st.recursive(_LEAVES, _larger, max_leaves=6))
