"""The queue in the order that a person wants."""

from dataclasses import replace

from tests.fakes.console import NOON, waiting

from callgate.core.rules.match import parse
from callgate.ui.approvals.arrangement import arranged, sibling_words, siblings_of
from callgate.ui.approvals.waiting import WaitingCall


def call(id: str, arguments: object = None, conversation: str = "c1", **fields: object) -> WaitingCall:
    made = waiting("read_file", arguments or {"path": "a"}, id=id, at=NOON + ord(id))
    return WaitingCall(replace(made, conversation_id=conversation, **fields))  # type: ignore[arg-type]


def test_as_it_came_is_the_oldest_first() -> None:
    calls = [call("a"), call("b"), call("c")]
    assert [entry.id for entry in arranged(calls)] == ["a", "b", "c"]


def test_by_conversation_the_first_of_each_has_a_heading() -> None:
    calls = [call("a"), call("b", conversation="c2", agent="codex"), call("c")]
    entries = arranged(calls, "conversation")
    assert [(entry.id, entry.heading) for entry in entries] == [
        ("a", "claude-code, one conversation: 2 calls"),
        ("c", ""),
        ("b", "codex: 1 call"),
    ]


def test_identical_calls_are_one_row_whoever_makes_them() -> None:
    calls = [call("a"), call("b", {"path": "other"}), call("c", agent="codex"), call("d", fingerprint="changed")]
    entries = arranged(calls, "identical")
    assert [[one.id for one in entry.calls] for entry in entries] == [["a", "c"], ["b"], ["d"]]


def test_a_filter_leaves_those_out_that_do_not_fit() -> None:
    calls = [call("a", {"path": "src/a.py"}), call("b", {"path": "docs/b.md"}), call("c", agent="codex")]
    assert [entry.id for entry in arranged(calls, wanted=parse("args.path:src/**"))] == ["a"]
    assert [entry.id for entry in arranged(calls, wanted=parse("agent:codex"))] == ["c"]
    assert [entry.id for entry in arranged(calls, wanted=parse("docs"))] == ["b"]


def test_calls_of_one_turn_are_counted_in_their_order() -> None:
    turn = [replace(call(id).invocation, exchange_id="e", part=part) for part, id in ((2, "a"), (0, "b"), (1, "c"))]
    alone = replace(call("d").invocation, exchange_id="other")
    assert siblings_of([*turn, alone]) == {"a": (3, 3), "b": (1, 3), "c": (2, 3), "d": (1, 1)}
    assert sibling_words((2, 3)) == "2 of 3 in this turn"
    assert sibling_words((1, 1)) == ""
