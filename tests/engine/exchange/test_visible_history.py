"""What is said again of a conversation: one branch of it, under the system prompt that counts now."""

from callgate.core.events import Event, ExchangeEnded, ExchangeStarted
from callgate.core.messages import Message, say
from callgate.engine.exchange.visible_history import visible_messages, with_system


def exchange(name: str, parent: str, text: str, outcome: str = "completed") -> list[Event]:
    asked = ExchangeStarted(name, "c", "callgate", "openai-chat", "m", True, 0, (say("user", text),), (), 1.0, parent)
    return [asked, ExchangeEnded(name, "c", outcome, 2.0, say("assistant", f"to {text}"))]  # type: ignore[arg-type]


EVENTS = [*exchange("a", "", "one"), *exchange("b", "a", "two"), *exchange("c", "a", "other")]


def texts(messages: tuple[Message, ...]) -> list[str]:
    return [message.text for message in messages]


def test_the_latest_branch_or_the_one_that_is_meant() -> None:
    assert texts(visible_messages(EVENTS)) == ["one", "to one", "other", "to other"]
    assert texts(visible_messages(EVENTS, "b")) == ["one", "to one", "two", "to two"]
    assert visible_messages(EVENTS, "") == ()


def test_what_failed_is_left_out() -> None:
    failed = [*EVENTS, *exchange("d", "c", "broken", "failed")]
    assert texts(visible_messages(failed)) == ["one", "to one", "other", "to other"]
    assert visible_messages(failed, "d") == visible_messages(failed)


def test_another_system_prompt_takes_the_place_of_the_first() -> None:
    before = (say("system", "Old"), say("user", "Hi"))
    assert texts(with_system(before, "New")) == ["New", "Hi"]
    assert with_system(before, "  ") == before
