"""Rules as files spell them; one that cannot be read never loosens anything."""

import tomllib

import pytest

from callgate.core.rules.policy import Rule
from callgate.store.files.saved_rules import Entry, content_id, distinct, read_entries, spelled
from callgate.store.files.toml_lines import key_lines


def entries(text: str) -> tuple[Entry, ...]:
    return read_entries(tomllib.loads(text)["rules"], key_lines(text))


def test_a_rule_comes_back_from_its_spelling() -> None:
    rule = Rule(
        "allow",
        "read_*",
        "files",
        "codex",
        "args.path:/tmp/**",
        "fine",
        1893456000.5,
        3,
        "workspace",
        "rule_1",
        "f00",
        True,
    )
    assert read_entries([dict(spelled(rule, "/w"))], {}) == (Entry(rule, "/w"),)


def test_a_rule_without_sub_agents_comes_back_and_goes_with_allowing_only() -> None:
    rule = Rule("allow", "rm", id="r", origin="always", sub_agents=False)
    assert read_entries([dict(spelled(rule, ""))], {}) == (Entry(rule),)
    (entry,) = entries('[[rules]]\nverdict = "deny"\ntool = "rm"\nsub_agents = false\n')
    assert entry.rule.verdict == "deny" and "goes with verdict = 'allow'" in entry.problem


def test_the_choice_at_the_deadline_comes_back_and_goes_with_asking_only() -> None:
    rule = Rule("ask", "rm", id="r", origin="always", at_deadline="allow")
    assert read_entries([dict(spelled(rule, ""))], {}) == (Entry(rule),)
    (entry,) = entries('[[rules]]\nverdict = "allow"\ntool = "rm"\nat_deadline = "allow"\n')
    assert entry.rule.verdict == "ask" and "at_deadline goes with verdict = 'ask'" in entry.problem


def test_what_says_nothing_is_not_spelled() -> None:
    assert dict(spelled(Rule("deny", "rm", id="r"), "")) == {"id": "r", "verdict": "deny", "tool": "rm"}


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ('verdict = "alow"', "line 3: verdict: expected one of 'allow', 'ask' or 'deny', got \"alow\""),
        ('verdict = "allow"\nexpires = "soon"', "line 4: expires: expected a time such as"),
        ('verdict = "allow"\nuses = -1', "line 4: uses: expected a number from 0, got -1"),
        ('verdict = "allow"\nwen = "args.path:/tmp/**"', "line 4: wen: unknown key; did you mean 'when'?"),
        ('verdict = "allow"\nworkspace = 3', "line 4: workspace: expected text in quotes"),
        ("", "line 1: verdict: missing"),
    ],
)
def test_an_entry_that_cannot_be_read_asks_for_its_tool_and_says_where(lines: str, problem: str) -> None:
    (entry,) = entries(f'[[rules]]\ntool = "rm"\n{lines}\n')
    assert (entry.rule.verdict, entry.rule.tool) == ("ask", "rm")
    assert (entry.rule.source, entry.rule.agent, entry.rule.when) == ("*", "*", "")
    assert entry.problem.startswith(problem)


def test_an_entry_that_cannot_be_read_but_denied_goes_on_denying() -> None:
    (entry,) = entries('[[rules]]\nverdict = "deny"\ntool = "rm"\nuses = "many"\n')
    assert entry.rule.verdict == "deny"
    assert entry.problem


@pytest.mark.parametrize("text", ["rules = [1]", "[[rules]]\ntool = 3\nverdict = 'allow'"])
def test_an_entry_whose_tool_is_unknown_asks_for_every_tool(text: str) -> None:
    (entry,) = entries(text)
    assert (entry.rule.verdict, entry.rule.tool) == ("ask", "*")


def test_an_expression_that_cannot_be_parsed_is_left_to_the_policy_which_asks() -> None:
    (entry,) = entries("[[rules]]\nverdict = 'allow'\nwhen = '((('\n")
    assert (entry.rule.when, entry.problem) == ("(((", "")


def test_a_rule_without_id_keeps_the_same_one_while_its_uses_count_down() -> None:
    assert content_id("rule", {"tool": "a", "uses": 3}) == content_id("rule", {"uses": 2, "tool": "a"})
    assert content_id("rule", {"tool": "a"}) != content_id("rule", {"tool": "b"})


def test_twins_get_ids_of_their_own() -> None:
    assert distinct(["a", "b", "a", "a"]) == ["a", "b", "a#2", "a#3"]
    first, second = entries("[[rules]]\nverdict='ask'\n[[rules]]\nverdict='ask'\n")
    assert first.rule.id != second.rule.id
