from callgate.core import lineage
from callgate.core.messages import Message, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, GateOptions
from callgate.engine.history import Ended, History


def request(*messages: Message, conversation: str = "") -> ChatRequest:
    return ChatRequest("openai-chat", "m", messages, gate=GateOptions(conversation=conversation))


def ended(
    name: str, messages: tuple[Message, ...], answer: Message, hidden: tuple[Message, ...] = (), agent: str = "a"
) -> Ended:
    chain = lineage.prefixes((*messages, answer))[-1]
    return Ended(f"exch_{name}", f"conv_{name}", agent, chain, answer, hidden)


HI = say("user", "hi")
HELLO = say("assistant", "hello")
MORE = say("user", "more")


def test_a_request_that_resends_a_conversation_continues_it() -> None:
    history = History([ended("1", (HI,), HELLO)])
    attachment = history.attach(request(HI, HELLO, MORE), "a")
    assert (attachment.conversation_id, attachment.parent_id, attachment.known) == ("conv_1", "exch_1", 2)


def test_a_first_request_begins_a_conversation_even_if_it_says_the_same() -> None:
    history = History([ended("1", (HI,), HELLO)])
    first, second = history.attach(request(HI), "a"), history.attach(request(HI), "a")
    assert len({first.conversation_id, second.conversation_id, "conv_1"}) == 3


def test_another_agent_that_says_the_same_has_a_conversation_of_its_own() -> None:
    history = History([ended("1", (HI,), HELLO)])
    assert history.attach(request(HI, HELLO, MORE), "b").conversation_id != "conv_1"


def test_two_programs_of_one_kind_that_heard_the_same_each_continue_one() -> None:
    history = History([ended("1", (HI,), HELLO), ended("2", (HI,), HELLO)])
    first = history.attach(request(HI, HELLO, MORE), "a")
    second = history.attach(request(HI, HELLO, say("user", "other")), "a")
    assert {first.conversation_id, second.conversation_id} == {"conv_1", "conv_2"}


def test_a_retried_turn_stays_in_its_conversation() -> None:
    history = History([ended("1", (HI,), HELLO)])
    once, again = (history.attach(request(HI, HELLO, MORE), "a") for _ in range(2))
    assert once.conversation_id == again.conversation_id == "conv_1"


def test_an_explicit_conversation_wins() -> None:
    history = History([ended("1", (HI,), HELLO)])
    assert history.attach(request(HI, HELLO, MORE, conversation="conv_x"), "a").conversation_id == "conv_x"


def test_hidden_turns_are_put_back_where_the_client_saw_one_answer() -> None:
    call = ToolCall("c1", "rm", "{}")
    hidden = (
        Message("assistant", (Text("Let me."), call)),
        Message("tool", (ToolResult("c1", (Text("denied"),), True),)),
        say("assistant", "All right."),
    )
    history = History([ended("1", (HI,), say("assistant", "Let me.\n\nAll right."), hidden)])
    attachment = history.attach(request(HI, say("assistant", "Let me.\n\nAll right. "), MORE), "a")
    assert attachment.restored
    assert attachment.messages == (HI, *hidden, MORE)


def test_results_that_are_put_back_stand_in_the_order_of_their_calls() -> None:
    first, second = ToolCall("c1", "read", "{}"), ToolCall("c2", "rm", "{}")
    denied, given = (Message("tool", (ToolResult(i, (Text(i),)),)) for i in ("c1", "c2"))
    said = Message("assistant", (first, second))
    shown = Message("assistant", (second,))
    history = History([ended("1", (HI,), shown, (said, denied))])
    assert history.attach(request(HI, shown, given, MORE), "a").messages == (HI, said, denied, given, MORE)
    shown = Message("assistant", (first,))
    history = History([ended("1", (HI,), shown, (said, given))])
    assert history.attach(request(HI, shown, denied, MORE), "a").messages == (HI, said, denied, given, MORE)


def test_a_client_that_rewords_its_text_is_recognised_by_its_call_ids() -> None:
    answer = Message("assistant", (Text("Looking"), ToolCall("c1", "f", "{}")))
    history = History([ended("1", (HI,), answer)])
    resent = Message("assistant", (ToolCall("c1", "f", "{}"),))
    attachment = history.attach(request(HI, resent, Message("tool", (ToolResult("c1", ()),))), "a")
    assert (attachment.conversation_id, attachment.known) == ("conv_1", 2)


def test_a_forgotten_conversation_is_not_continued() -> None:
    history = History([ended("1", (HI,), HELLO)])
    history.forget("conv_1")
    assert history.attach(request(HI, HELLO, MORE), "a").conversation_id != "conv_1"
