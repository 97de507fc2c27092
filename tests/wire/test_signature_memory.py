from dataclasses import replace

import pytest

from callgate.core.messages import Image, Message, Part, Reasoning, Refusal, Text, ToolCall, ToolResult, say
from callgate.wire.call_ids import NO_ID
from callgate.wire.signature_memory import SignatureCache

THOUGHT = Reasoning("let me look", "proof", wire="anthropic")
MORE = Reasoning("and there", "proof 2", wire="anthropic")
CALL = ToolCall("call_1", "read", '{"path":"a"}')
OTHER = ToolCall("call_2", "read", '{"path":"b"}')


def turn(*parts: Part) -> Message:
    return Message("assistant", parts)


def recalled(given: Message, returned: Message) -> Message:
    cache = SignatureCache()
    cache.remember(given)
    return cache.recall(returned)


def test_thinking_comes_back_before_the_calls_it_led_to() -> None:
    assert recalled(turn(THOUGHT, Text("I look"), CALL), turn(Text("I look"), CALL)).parts == (
        THOUGHT,
        Text("I look"),
        CALL,
    )


def test_a_turn_of_words_is_known_by_them() -> None:
    given = turn(THOUGHT, Text("It is "), Text("done."))
    assert recalled(given, say("assistant", "It is done.\n")).parts == (THOUGHT, Text("It is done.\n"))
    assert recalled(turn(THOUGHT, Refusal("no")), turn(Refusal("no"))).parts == (THOUGHT, Refusal("no"))


def test_a_calls_own_signature_comes_back() -> None:
    signed = replace(CALL, signature="proof", wire="gemini")
    assert recalled(turn(signed, OTHER), turn(CALL, OTHER)).parts == (signed, OTHER)


def test_interleaved_thinking_finds_its_places_again() -> None:
    given = turn(THOUGHT, Text("first"), CALL, MORE, Text("then"), OTHER)
    assert recalled(given, turn(Text("first"), CALL, Text("then"), OTHER)) == given


def test_thinking_whose_words_were_joined_to_others_comes_before_what_followed_them() -> None:
    given = turn(THOUGHT, Text("first"), CALL, MORE, Text("then"), OTHER)
    returned = turn(Text("first then"), CALL, OTHER)
    assert recalled(given, returned).parts == (THOUGHT, Text("first then"), CALL, MORE, OTHER)


def test_a_turn_that_began_with_thinking_begins_with_it_whatever_the_client_has_put_there() -> None:
    assert recalled(turn(THOUGHT, CALL), turn(Text("(I call)"), CALL)).parts == (THOUGHT, Text("(I call)"), CALL)


@pytest.mark.parametrize("tag", ["think", "thinking"])
def test_thinking_that_comes_back_among_the_words_is_not_said_twice(tag: str) -> None:
    told = Text(f"<{tag}>\nlet me look\n</{tag}>")
    assert recalled(turn(THOUGHT, Text("I look"), CALL), turn(told, Text("I look"), CALL)).parts == (
        THOUGHT,
        Text("I look"),
        CALL,
    )
    other = Text(f"<{tag}>something else</{tag}>")
    assert recalled(turn(THOUGHT, CALL), turn(other, CALL)).parts == (THOUGHT, other, CALL)


def test_thinking_behind_everything_stays_there() -> None:
    assert recalled(turn(CALL, THOUGHT), turn(CALL)).parts == (CALL, THOUGHT)


def test_one_call_of_several_is_enough_to_find_the_turn() -> None:
    assert recalled(turn(THOUGHT, CALL, OTHER), turn(OTHER)).parts == (THOUGHT, OTHER)


def test_thinking_that_lost_its_proof_is_replaced() -> None:
    echo = Reasoning("let me look", wire="openai-chat")
    assert recalled(turn(THOUGHT, CALL), turn(echo, CALL)).parts == (THOUGHT, CALL)


def test_thinking_that_has_a_proof_is_left_alone() -> None:
    kept = turn(Reasoning("let me look", "cg1.x"), CALL)
    assert recalled(turn(THOUGHT, MORE, CALL), kept) == kept


def test_thinking_is_not_taken_away_where_only_a_call_was_signed() -> None:
    echo, signed = Reasoning("let me look"), replace(CALL, signature="proof", wire="gemini")
    assert recalled(turn(signed), turn(echo, CALL)).parts == (echo, signed)


@pytest.mark.parametrize(
    "returned",
    [
        turn(ToolCall("call_1", "write", "{}")),
        turn(ToolCall("call_9", "read", "{}")),
        turn(Image(url="http://x/y.png")),
        turn(),
        say("assistant", "something else"),
        say("user", "It is done."),
    ],
)
def test_another_turn_gets_nothing(returned: Message) -> None:
    cache = SignatureCache()
    cache.remember(turn(THOUGHT, CALL))
    cache.remember(turn(THOUGHT, Text("It is done.")))
    assert cache.recall(returned) is returned


def test_turns_without_thinking_and_signatures_take_no_room() -> None:
    cache = SignatureCache()
    for message in (turn(CALL), say("assistant", "hello"), turn(THOUGHT), say("user", "hello"), turn()):
        cache.remember(message)
    assert len(cache) == 0


def test_the_turns_used_least_recently_are_forgotten() -> None:
    cache = SignatureCache(turns=2)
    calls = [ToolCall(f"call_{number}", "read", "{}") for number in range(3)]
    cache.remember(turn(THOUGHT, calls[0]))
    cache.remember(turn(THOUGHT, calls[1]))
    cache.recall(turn(calls[0]))
    cache.remember(turn(THOUGHT, calls[2]))
    assert len(cache) == 2
    assert [bool(len(cache.recall(turn(call)).parts) > 1) for call in calls] == [True, False, True]


def test_large_signatures_do_not_fill_the_memory() -> None:
    cache = SignatureCache(characters=100)
    for number in range(10):
        cache.remember(turn(Reasoning("", "x" * 40, wire="gemini"), ToolCall(f"call_{number}", "read", "{}")))
    assert len(cache) == 2
    cache.remember(turn(Reasoning("", "x" * 101, wire="gemini"), CALL))
    assert len(cache) == 0


def test_a_call_id_that_is_used_again_means_the_newer_turn() -> None:
    cache = SignatureCache(turns=1)
    cache.remember(turn(THOUGHT, CALL))
    cache.remember(turn(MORE, CALL))
    assert cache.recall(turn(CALL)).parts == (MORE, CALL)


def without_ids(message: Message) -> Message:
    """As Gemini's clients send it that keep no ids: the reader then makes up others."""
    calls = iter(range(9))
    return message.with_parts(
        [
            replace(part, id=f"call_made_up_{next(calls)}", extras={NO_ID: True})
            if isinstance(part, ToolCall)
            else part
            for part in message.parts
        ]
    )


def test_a_turn_whose_calls_lost_their_ids_is_known_by_what_they_say() -> None:
    given = turn(THOUGHT, Text("first"), replace(CALL, signature="s", wire="gemini"), MORE, OTHER)
    respelled = replace(CALL, arguments='{ "path": "a" }')
    returned = recalled(given, without_ids(turn(Reasoning("let me look"), Text("first"), respelled, OTHER)))
    assert [type(part) for part in returned.parts] == [Reasoning, Text, ToolCall, Reasoning, ToolCall]
    assert (returned.parts[0], returned.parts[3]) == (THOUGHT, MORE)
    assert [call.signature for call in returned.calls] == ["s", ""]


@pytest.mark.parametrize("other", [(CALL,), (OTHER, CALL), (CALL, replace(OTHER, arguments="{"))])
def test_a_turn_that_makes_other_calls_is_not_mistaken_for_it(other: tuple[ToolCall, ...]) -> None:
    returned = without_ids(turn(*other))
    assert recalled(turn(THOUGHT, CALL, OTHER), returned) == returned


def test_calls_that_have_ids_are_never_known_by_what_they_say() -> None:
    returned = turn(replace(CALL, id="call_9"))
    assert recalled(turn(THOUGHT, CALL), returned) == returned


def test_a_forgotten_turn_is_not_found_by_what_it_said() -> None:
    cache = SignatureCache(turns=1)
    cache.remember(turn(THOUGHT, CALL))
    cache.remember(turn(MORE, OTHER))
    assert cache.recall(without_ids(turn(CALL))) == without_ids(turn(CALL))
    assert cache.recall(without_ids(turn(OTHER))).parts[0] == MORE


def test_a_history_without_ids_gets_those_back_that_its_provider_made_and_results_follow() -> None:
    cache = SignatureCache()
    cache.remember(turn(THOUGHT, CALL, OTHER))
    lost = without_ids(turn(CALL, OTHER))
    results = [Message("tool", (ToolResult(call.id, (Text(call.arguments),), name="read"),)) for call in lost.calls]
    later = Message("tool", (ToolResult("call_made_up_0", name="read"),))
    recalled_all = list(cache.recall_all([say("user", "hi"), lost, *results, say("assistant", "done"), later]))
    assert [call.id for call in recalled_all[1].calls] == [CALL.id, OTHER.id]
    told = [message.results[0] for message in recalled_all[2:4]]
    assert [(result.call_id, result.text) for result in told] == [
        (CALL.id, CALL.arguments),
        (OTHER.id, OTHER.arguments),
    ]
    assert recalled_all[5] is later, "another turn's results keep their own"
