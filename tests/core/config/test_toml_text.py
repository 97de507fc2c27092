import tomllib

from hypothesis import given
from hypothesis import strategies as st

from callgate.core.config.toml_text import toml_pairs

VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES))
def test_whatever_is_written_is_read_back_the_same(table: dict) -> None:
    assert tomllib.loads("\n".join(toml_pairs(table))) == table


def test_what_has_no_value_is_left_out() -> None:
    assert toml_pairs({"a": None, "b": {"c": None}}) == ["b = {}"]
