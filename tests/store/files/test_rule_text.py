import tomllib

from hypothesis import given
from hypothesis import strategies as st

from callgate.core.config.settings import Settings
from callgate.core.rules.policy import Rule
from callgate.store.files.rule_text import rules_toml

texts = st.text(st.characters(codec="utf-8"), max_size=20)


@given(
    st.lists(st.builds(Rule, st.just("deny"), st.just("t"), when=texts, note=texts, review=st.booleans()), max_size=3)
)
def test_rules_read_back_as_they_were(rules: list[Rule]) -> None:
    read = Settings.model_validate(tomllib.loads(rules_toml(rules))).rules
    assert [(r.verdict, r.tool, r.when, r.note, r.review) for r in read] == [
        (r.verdict, r.tool, r.when, r.note, r.review) for r in rules
    ]


def test_expressions_are_spelled_without_escapes_where_that_can_be() -> None:
    text = rules_toml([Rule("deny", "x", when='command~"^rm(?!\\w)"')])
    assert text == '[[rules]]\nverdict = "deny"\ntool = "x"\nwhen = \'command~"^rm(?!\\w)"\'\n'
