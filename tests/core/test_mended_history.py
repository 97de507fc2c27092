from hypothesis import given
from hypothesis import strategies as st

from callgate.core.mended_history import LOST, mended_history
from callgate.core.messages import Message, Text, ToolCall, ToolResult


def user(text: str = "hi") -> Message:
    return Message("user", (Text(text),))


def calls(*ids: str) -> Message:
    return Message("assistant", tuple(ToolCall(id, "f", "{}") for id in ids))


def result(*ids: str, text: str = "done") -> Message:
    return Message("tool", tuple(ToolResult(id, (Text(text),), name="f") for id in ids))


def lost(id: str) -> Message:
    return Message("tool", (ToolResult(id, (Text(LOST),), is_error=True, name="f"),))


def test_a_history_that_adds_up_is_left_as_it_is() -> None:
    history = (user(), calls("a", "b"), result("a"), result("b"), Message("assistant", (Text("ok"),)), user())
    assert mended_history(history) == (history, ())


def test_a_call_without_its_result_gets_one_that_says_so() -> None:
    mended, notes = mended_history((user(), calls("a", "b"), result("a"), user("next"), calls("c")))
    assert mended == (user(), calls("a", "b"), result("a"), lost("b"), user("next"), calls("c"), lost("c"))
    assert len(notes) == 2 and "call b of f" in notes[0]


def test_a_result_without_its_call_and_a_second_one_are_left_out() -> None:
    mended, notes = mended_history((result("z"), user(), calls("a"), result("a"), result("a", text="again"), user()))
    assert mended == (user(), calls("a"), result("a"), user())
    assert len(notes) == 2


def test_of_several_results_in_one_message_only_those_go_that_answer_nothing() -> None:
    mended, notes = mended_history((calls("a", "b"), result("a", "z", "b")))
    assert mended == (calls("a", "b"), result("a", "b"))
    assert notes == ("the result for z answers no open call: left out",)


def test_a_late_result_is_moved_to_its_call() -> None:
    mended, notes = mended_history((calls("a"), user("wait"), result("a")))
    assert mended == (calls("a"), result("a"), user("wait"))
    assert notes == ("the result for a was moved to its call",)


def test_an_id_that_is_used_again_in_a_later_turn_is_a_call_of_its_own() -> None:
    mended, _ = mended_history((calls("a"), result("a"), calls("a"), user()))
    assert mended == (calls("a"), result("a"), calls("a"), lost("a"), user())


def test_calls_that_are_answered_when_they_are_done_or_by_the_provider_are_nobodys_loss() -> None:
    slow = Message("assistant", (ToolCall("a", "f", "{}", extras={"async": True}),))
    built_in = Message("assistant", (ToolCall("b", "shell", "{}", variant="built_in"),))
    done = Message("tool", (ToolResult("x", (), variant="built_in"),))
    history = (slow, user(), built_in, done, user(), calls("c"), result("c"), result("a"))
    assert mended_history(history) == (history, ())


parts = st.sampled_from([user(), calls("a"), calls("a", "b"), calls("c"), result("a"), result("b"), result("a", "c")])


@given(st.lists(parts, max_size=8))
def test_whatever_comes_adds_up_afterwards(history: list[Message]) -> None:
    mended, notes = mended_history(history)
    assert mended_history(mended) == (mended, ())
    assert bool(notes) == (mended != tuple(history))
