from dataclasses import replace

import pytest

from callgate.core import lineage
from callgate.core.agent import identity
from callgate.core.errors import BadRequest
from callgate.core.messages import Message, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, GateOptions
from callgate.engine.exchange.history import Ended, History, hidden_turns


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


def test_call_ids_that_a_server_gives_out_again_do_not_mix_up_conversations() -> None:
    denied = Message("tool", (ToolResult("call_0", (Text("denied"),), True),))
    first = Message("assistant", (ToolCall("call_0", "read", '{"path":"a"}'),))
    other = Message("assistant", (ToolCall("call_0", "read", '{"path":"b"}'),))
    history = History([ended("1", (HI,), first, (first, denied, say("assistant", "Secret of one.")))])
    result = Message("tool", (ToolResult("call_0", (Text("b"),)),))
    attachment = history.attach(request(say("user", "else"), other, result), "a")
    assert attachment.conversation_id != "conv_1"
    assert not attachment.restored and attachment.messages == (say("user", "else"), other, result)


def test_of_two_that_heard_the_same_each_gets_its_own_hidden_turns_back_in_every_later_request() -> None:
    mine, yours = ((say("assistant", f"thought {n}"), HELLO) for n in (1, 2))
    history = History([ended("1", (HI,), HELLO, mine), ended("2", (HI,), HELLO, yours)])
    first = history.attach(request(HI, HELLO, MORE), "a")
    assert (first.conversation_id, first.messages) == ("conv_1", (HI, *mine, MORE))
    history.remember(ended("1", (HI, HELLO, MORE), say("assistant", "and so on")))
    third = history.attach(request(HI, HELLO, MORE, say("assistant", "and so on"), HI), "a")
    assert third.conversation_id == "conv_1"
    assert third.messages == (HI, *mine, MORE, say("assistant", "and so on"), HI)


def test_the_oldest_exchanges_are_forgotten_when_there_are_many_or_they_hide_much() -> None:
    def numbered(number: int, hidden: str = "") -> Ended:
        turns = (say("assistant", hidden), HELLO) if hidden else ()
        return ended(str(number), (say("user", str(number)),), HELLO, turns)

    history = History(most=10)
    for number in range(50):
        history.remember(numbered(number))
    assert len(history) == 10
    assert history.attach(request(say("user", "49"), HELLO, MORE), "a").conversation_id == "conv_49"
    assert history.attach(request(say("user", "1"), HELLO, MORE), "a").parent_id == ""
    history = History([numbered(number, "x" * 100) for number in range(10)], most_hidden=350)
    assert len(history) == 3


def test_nothing_that_is_kept_of_equal_requests_grows_beyond_its_bound() -> None:
    history = History(most=10)
    for number in range(100):
        attached = history.attach(request(HI), "a")
        history.attach(request(HI, HELLO, MORE), "a")
        history.remember(replace(ended(str(number), (HI,), HELLO), conversation_id=attached.conversation_id))
    kept = {name: len(value) for name, value in vars(history).items() if isinstance(value, dict | set)}
    assert max(kept.values()) <= 10, kept


def test_forgetting_a_conversation_leaves_its_twin() -> None:
    history = History([ended("1", (HI,), HELLO), ended("2", (HI,), HELLO)])
    history.forget("conv_1")
    assert len(history) == 1
    assert history.attach(request(HI, HELLO, MORE), "a").conversation_id == "conv_2"


def test_a_lineage_that_was_made_elsewhere_is_not_made_again() -> None:
    history = History([ended("1", (HI,), HELLO)])
    asked = request(HI, HELLO, MORE)
    chain = tuple(lineage.prefixes(asked.messages))
    assert history.attach(asked, "a", chain) == History([ended("1", (HI,), HELLO)]).attach(asked, "a")
    assert history.attach(request(HI, HELLO, MORE), "a", ("x", "y", "z")).known == 0  # it is taken for what it says


def test_hidden_turns_are_put_back_until_the_last_that_has_some_is_forgotten() -> None:
    called = Message("assistant", (ToolCall("c1", "f", "{}"),))
    hidden = (called, Message("tool", (ToolResult("c1", (Text("no"),)),)), HELLO)
    history = History([ended("1", (HI,), HELLO, hidden)])
    assert history.attach(request(HI, HELLO, MORE), "a").messages == (HI, *hidden, MORE)
    history.forget("conv_1")
    assert history.attach(request(HI, HELLO, MORE), "a").messages == (HI, HELLO, MORE)
    history.remember(ended("2", (HI,), HELLO, hidden))
    assert history.attach(request(HI, HELLO, MORE), "a").restored


def test_results_that_a_person_changed_stay_changed_however_often_the_client_sends_them_again() -> None:
    calls = Message("assistant", (ToolCall("c1", "read", "{}"), ToolCall("c2", "read", "{}")))
    given = tuple(Message("tool", (ToolResult(i, (Text(f"secret {i}"),)),)) for i in ("c1", "c2"))
    told = (ToolResult("c1", (Text("withheld"),), True), ToolResult("c2", (Text("secret c2"),)))
    done = say("assistant", "Done.")
    exchange = ended("1", (HI, calls, *given), done, hidden_turns(told, (done,)))
    attachment = History([exchange]).attach(request(HI, calls, *given, done, MORE), "a")
    assert attachment.restored and attachment.known == 5
    assert attachment.messages == (HI, calls, *(Message("tool", (result,)) for result in told), done, MORE)


def test_changed_results_are_found_by_their_place_where_a_wire_has_no_lasting_ids() -> None:
    """Also in one message with others, and only as many as were new when they were changed."""
    earlier = Message("user", (ToolResult("x0", (Text("old"),)),))
    given = Message("user", (ToolResult("x1", (Text("a secret"),)), ToolResult("x2", (Text("b"),)), Text("Go on.")))
    told = (ToolResult("m1", (Text("a"),)), ToolResult("m2", (Text("b"),)))
    done = say("assistant", "Done.")
    exchange = ended("1", (HI, earlier, HELLO, given), done, hidden_turns(told, (done,)))
    messages = History([exchange]).attach(request(HI, earlier, HELLO, given, done, MORE), "a").messages
    assert messages[1] is earlier
    assert messages[3].parts == (ToolResult("x1", (Text("a"),)), ToolResult("x2", (Text("b"),)), Text("Go on."))


PROVEN, PERSON = identity("a", True), identity("callgate", True)


def test_a_claimed_name_continues_nothing_of_the_proven_one_and_sees_none_of_its_hidden_turns() -> None:
    secret = (say("assistant", "the key is 42"), HELLO)
    history = History([ended("1", (HI,), HELLO, secret, agent=PROVEN)])
    claimed = history.attach(request(HI, HELLO, MORE), "a")
    assert claimed.conversation_id != "conv_1"
    assert (claimed.parent_id, claimed.restored, claimed.messages) == ("", False, (HI, HELLO, MORE))
    proven = history.attach(request(HI, HELLO, MORE), PROVEN)
    assert (proven.conversation_id, proven.restored) == ("conv_1", True)


@pytest.mark.parametrize("asker", ["a", "b", identity("b", True)])
def test_a_conversation_of_a_proven_agent_can_not_be_named_by_others(asker: str) -> None:
    history = History([ended("1", (HI,), HELLO, agent=PROVEN)])
    with pytest.raises(BadRequest) as refused:
        history.attach(request(HI, conversation="conv_1"), asker)
    assert (refused.value.fault.kind, refused.value.fault.param) == ("permission", "x-callgate-conversation")
    for owner in (PROVEN, PERSON):
        assert history.attach(request(HI, conversation="conv_1"), owner).conversation_id == "conv_1"
    with pytest.raises(BadRequest):
        history.attach(request(HI, conversation="conv_1"), asker)


def test_a_conversation_begun_under_a_claimed_name_is_the_proven_agents_once_that_has_spoken_in_it() -> None:
    history = History()
    history.attach(request(HI, conversation="conv_x"), "a")
    history.attach(request(HI, conversation="conv_x"), "b")
    history.attach(request(HI, conversation="conv_x"), PERSON)
    history.attach(request(HI, conversation="conv_x"), "a")
    history.attach(request(HI, conversation="conv_x"), PROVEN)
    with pytest.raises(BadRequest):
        history.attach(request(HI, conversation="conv_x"), "a")


def test_a_conversation_of_the_person_can_not_be_named_by_agents() -> None:
    history = History()
    history.attach(request(HI, conversation="conv_x"), PERSON)
    for asker in ("a", "callgate", PROVEN):
        with pytest.raises(BadRequest):
            history.attach(request(HI, conversation="conv_x"), asker)


def test_owners_are_bounded_and_forgotten_with_their_conversations() -> None:
    history = History(most=10)
    for number in range(50):
        history.attach(request(HI, conversation=f"conv_{number}"), PROVEN)
    assert [history.knows(f"conv_{number}") for number in (0, 49)] == [False, True]
    history.forget("conv_49")
    assert not history.knows("conv_49")


def test_results_follow_their_calls_into_a_turn_that_is_put_back_under_other_ids() -> None:
    seen, denied = ToolCall("made_1", "look", "{}"), ToolCall("made_2", "rm", "{}")
    refusal = Message("tool", (ToolResult("made_2", (Text("denied"),), True),))
    hidden = (Message("assistant", (seen, denied)), refusal)
    history = History([ended("1", (HI,), Message("assistant", (seen,)), hidden)])
    resent = Message("assistant", (ToolCall("own_1", "look", "{}"),))
    result = Message("tool", (ToolResult("own_1", (Text("fine"),), name="look"),))
    attachment = history.attach(request(HI, resent, result, MORE), "a")
    assert attachment.restored
    told = {one.call_id: one.text for message in attachment.messages for one in message.results}
    assert told == {"made_1": "fine", "made_2": "denied"}
