import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.catalog.when import BadCondition, Value, holds, read_condition

KEYS: dict[str, Value] = {
    "workspaceFolderCount": 1,
    "platform": "linux",
    "isLinux": True,
    "config.gate.tools_enabled": False,
    "config.server.host": "127.0.0.1",
    "source.git-2.connected": True,
    "empty": "",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("workspaceFolderCount > 0", True),
        ("workspaceFolderCount>1", False),
        ("workspaceFolderCount >= 1 && workspaceFolderCount <= 1", True),
        ("platform == linux", True),
        ("platform == 'linux'", True),
        ('platform != "linux"', False),
        ("platform === linux", True),
        ("platform =~ /^LIN/i", True),
        ("platform =~ /^win/", False),
        ("isLinux", True),
        ("isLinux == true", True),
        ("!isLinux", False),
        ("!!isLinux", True),
        ("config.gate.tools_enabled", False),
        ("config.gate.tools_enabled == false", True),
        ("config.server.host == 127.0.0.1", True),
        ("source.git-2.connected", True),
        ("nowhere", False),
        ("nowhere == x", False),
        ("nowhere != x", True),
        ("nowhere < 1", False),
        ("platform > 1", False),
        ("empty", False),
        ("isLinux && nowhere || platform == linux", True),
        ("isLinux && (nowhere || platform == mac)", False),
        ("!(nowhere || empty)", True),
    ],
)
def test_conditions_hold_or_not(text: str, expected: bool) -> None:
    assert holds(read_condition(text), KEYS.get) is expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("platform ==", "expected a value after =="),
        ("== linux", "expected the name of a key at character 1"),
        ("platform == linux mac", "expected && or || at character 19"),
        ("(isLinux", "expected )"),
        ("a &&", "expected the name of a key"),
        ("platform =~ linux", "expected a /pattern/"),
        ("platform =~ /(/", "the pattern can't be read"),
        ("'quoted' == x", "expected the name of a key"),
        ("a & b", "expected a key, a value or an operator"),
        ("!" * 60 + "a", "nested too deeply"),
        ("a" * 1001, "longer than 1000"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str, says: str) -> None:
    with pytest.raises(BadCondition) as bad:
        read_condition(text)
    assert says in str(bad.value)


def test_a_pattern_that_takes_too_long_does_not_fit() -> None:
    slow = read_condition("key =~ /(a|aa)+$/")
    assert not holds(slow, lambda key: "a" * 60 + "b")


@given(st.text(max_size=60))
def test_any_text_is_either_read_or_refused(text: str) -> None:
    try:
        condition = read_condition(text)
    except BadCondition:
        return
    assert isinstance(holds(condition, KEYS.get), bool)
