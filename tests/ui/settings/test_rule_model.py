"""Rules as rows: the strictest first, with everything that makes one count or not."""

from dataclasses import replace

import pytest
from pytestqt.modeltest import ModelTester
from tests.fakes.console import completed, sample_tools

from callgate.core.rules.policy import Rule, Verdict
from callgate.ui.settings.rule_model import RuleModel, Use, rule_rows, uses_of
from callgate.ui.settings.two_line import Line
from callgate.ui.settings.verdict_look import VERDICT_LOOKS

NOW = 1_760_000_000.0
TOOLS = sample_tools()
ALLOW = Rule("allow", "read_file", "built-in", when="args.path:src/**", id="a", origin="workspace", note="sources")
DENY = Rule("deny", "run_command", id="d")
ASK = Rule("ask", "git_commit", id="q", origin="session", uses=2)


@pytest.fixture
def model(qtmodeltester: ModelTester) -> RuleModel:
    model = RuleModel()
    qtmodeltester.check(model)
    return model


def _ids(model: RuleModel) -> list[str]:
    return [model.index(row).data(Line.ITEM).rule.id for row in range(model.rowCount())]


def test_they_are_ordered_as_they_beat_each_other(model: RuleModel, qtmodeltester: ModelTester) -> None:
    model.set_rows(rule_rows([ALLOW, ASK, DENY], TOOLS, {}, NOW))
    assert _ids(model) == ["d", "q", "a"]
    qtmodeltester.check(model)


def test_a_row_says_all_that_matters(model: RuleModel) -> None:
    model.set_rows(rule_rows([ALLOW], TOOLS, {"a": Use(14, NOW - 600)}, NOW))
    index = model.index(0)
    assert index.data(Line.LOOK) is VERDICT_LOOKS["allow"]
    assert index.data(Line.TITLE) == "read_file of built-in"
    assert index.data(Line.DETAIL) == "when args.path fits src/**"
    assert index.data(Line.FOOT) == "this workspace  ·  sources"
    assert index.data(Line.RIGHT) == "14 uses, last 10 min ago"
    assert index.data() == "allow read_file of built-in when args.path fits src/**, this workspace"
    assert index.data(Line.WARNING) == "" and not index.data(Line.FADED)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"uses": 0}, "used up"),
        ({"expires": NOW - 1}, "expired"),
        ({"fingerprint": "other"}, "definition has changed"),
        ({"when": "(a"}, "can't be read, so it asks"),
    ],
)
def test_a_rule_that_does_not_count_says_why(model: RuleModel, change: dict, why: str) -> None:
    model.set_rows(rule_rows([replace(ALLOW, **change)], TOOLS, {}, NOW))
    assert why in model.index(0).data(Line.WARNING) and model.index(0).data(Line.FADED)


def test_hidden_characters_of_a_rule_are_revealed(model: RuleModel) -> None:
    model.set_rows(rule_rows([replace(ALLOW, tool="x\u202e", when="")], TOOLS, {}, NOW))
    assert model.index(0).data(Line.TITLE) == "x⟨U+202E RLO⟩ of built-in"
    assert model.index(0).data(Line.DETAIL) == "every call"


def test_rows_that_stay_are_not_touched(model: RuleModel) -> None:
    model.set_rows(rule_rows([ALLOW, DENY], TOOLS, {}, NOW))
    inserted: list[int] = []
    removed: list[int] = []
    model.rowsInserted.connect(lambda _, first, last: inserted.extend(range(first, last + 1)))
    model.rowsRemoved.connect(lambda _, first, last: removed.extend(range(first, last + 1)))
    model.set_rows(rule_rows([ALLOW, ASK, DENY], TOOLS, {}, NOW))
    assert (inserted, removed) == ([1], [])
    model.set_rows(rule_rows([ASK, replace(ALLOW, verdict="deny", tool="a")], TOOLS, {}, NOW))
    assert _ids(model) == ["a", "q"]
    assert model.row_of("q") == 1 and model.row_of("gone") == -1


def test_uses_are_counted_for_every_rule_that_a_verdict_rests_on() -> None:
    past = [
        replace(completed(id="1", at=NOW), verdict=Verdict("allow", "x", rule_id="a", rule_ids=("a", "b"))),
        replace(completed(id="2", at=NOW - 60), verdict=Verdict("allow", "x", rule_id="a")),
        completed(id="3"),
    ]
    assert uses_of(past) == {"a": Use(2, NOW), "b": Use(1, NOW)}
