import pytest

from callgate.core.calls.binding import Binding, BoundTool, Executor, Moment, change_between, executor

SAFE = executor("registered", ("Registered", "POST /safe"))
EVIL = executor("registered", ("Registered", "POST /evil"))


def tool(fingerprint: str = "f", by: Executor = SAFE, words: str = "Tidies up.") -> BoundTool:
    return BoundTool(Binding(fingerprint, by.digest, by.shown_lines, "registered"), {"description": words})


def test_an_executor_is_another_one_when_any_of_its_facts_is() -> None:
    plain = executor("command", ("ls",), env={"A": "1"})
    assert plain == executor("command", ("ls",), env={"A": "1"})
    others = [
        executor("command", ("ls",), env={"A": "2"}),
        executor("command", ("ls", "-l"), env={"A": "1"}),
        executor("mcp", ("ls",), env={"A": "1"}),
        executor("command", ("ls",)),
        executor("command", ("l\udc80s",)),
    ]
    assert len({one.digest for one in [plain, *others]}) == 6
    assert "1" not in "".join(plain.shown_lines), "what may be secret is in the digest only"


def test_nothing_has_changed_between_equal_tools() -> None:
    assert change_between(tool(), tool(), "waiting") is None


def test_another_executor_is_a_change_with_both_in_words() -> None:
    change = change_between(tool(), tool(by=EVIL), "waiting")
    assert change is not None and change.executor_changed
    assert (change.before[-1], change.after[-1]) == ("POST /safe", "POST /evil")
    assert change.words == "This tool changed while the call was waiting."


def test_an_executor_that_differs_in_what_is_not_shown_still_shows_a_difference() -> None:
    one, other = executor("command", ("ls",), env={"A": "1"}), executor("command", ("ls",), env={"A": "2"})
    change = change_between(tool(by=one), tool(by=other), "decided")
    assert change is not None and change.executor_changed and change.before != change.after


def test_another_definition_is_a_change_with_its_differences() -> None:
    change = change_between(tool(), tool("g", words="Deletes all."), "offered")
    assert change is not None and not change.executor_changed
    assert [(one.path, one.after) for one in change.definition] == [("description", "Deletes all.")]


def test_of_what_was_only_offered_the_executor_is_not_compared() -> None:
    offered = BoundTool(Binding("f"), {"description": "Tidies up."})
    assert change_between(offered, tool(), "offered") is None


@pytest.mark.parametrize("since", ["offered", "waiting", "decided"])
def test_a_tool_that_is_gone_is_said_to_be(since: Moment) -> None:
    change = change_between(tool(), None, since)
    assert change is not None and change.gone and "was removed" in change.words
