from hypothesis import given
from hypothesis import strategies as st

from callgate.core.assembly import Assembly, assemble, disassemble
from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Failed, Finished, Started, TextDelta
from callgate.core.errors import Fault
from callgate.core.messages import (
    Citation,
    Image,
    Message,
    Opaque,
    Reasoning,
    Refusal,
    Text,
    TokenLogprob,
    ToolCall,
    Usage,
)
from callgate.core.request import ChatResponse, Choice

texts = st.text(max_size=20)
places = st.none() | st.integers(0, 9)
citations = st.builds(Citation, texts, texts, texts, places, places, texts)
chances = st.lists(st.builds(TokenLogprob, texts, st.floats(-9, 0)), max_size=2).map(tuple)
parts = st.one_of(
    st.builds(
        Text,
        texts,
        st.sampled_from([{}, {"thoughtSignature": "s"}]),
        citations=st.lists(citations, max_size=2).map(tuple),
        tokens=chances,
    ),
    st.builds(Refusal, texts),
    st.builds(Reasoning, texts, signature=texts, wire=st.just("anthropic"), id=texts).map(
        lambda r: r if r.signature else Reasoning(r.text, id=r.id)
    ),
    st.builds(Reasoning, redacted=st.just(True), signature=texts),
    st.builds(ToolCall, texts, texts, texts, signature=texts, wire=st.just("gemini")),
    st.builds(Image, data=texts),
    st.builds(Opaque, st.just("gemini"), st.just({"a": 1})),
)
choices = st.builds(
    Choice,
    st.lists(parts, max_size=5).map(lambda some: Message("assistant", tuple(some))),
    st.sampled_from(["stop", "tool_calls", "length"]),
    texts,
)
responses = st.builds(
    ChatResponse,
    texts,
    texts,
    st.lists(choices, min_size=1, max_size=3).map(tuple),
    st.one_of(st.none(), st.builds(Usage, st.integers(0, 9), st.integers(0, 9))),
    st.integers(0, 9),
)


@given(responses)
def test_a_reply_taken_apart_and_put_together_is_the_same(response: ChatResponse) -> None:
    assert assemble(disassemble(response)) == response


def test_interleaved_calls_grow_each_in_its_place() -> None:
    deltas = [
        Started("id", "m", 1),
        CallStarted(0, "a", "one"),
        CallStarted(1, "b", "two"),
        ArgumentsDelta(1, '{"y"'),
        ArgumentsDelta(0, "{}"),
        ArgumentsDelta(1, ":2}"),
        CallEnded(0, "{}"),
        CallEnded(1, '{"y":2}'),
        Finished("tool_calls"),
    ]
    calls = assemble(deltas).choices[0].message.calls
    assert [(call.id, call.arguments) for call in calls] == [("a", "{}"), ("b", '{"y":2}')]


def test_an_unfinished_stream_can_be_asked_for_what_it_has() -> None:
    assembly = Assembly()
    assembly.add(TextDelta(0, "hal"))
    assembly.add(TextDelta(0, "f"))
    assembly.add(Failed(Fault("upstream", "gone")))
    assert assembly.message().text == "half"
    assert assembly.finish() is None and assembly.fault == Fault("upstream", "gone")


def test_a_built_in_call_keeps_what_its_wire_says_of_it() -> None:
    call = ToolCall("c", "shell", '{"commands":[]}', "built_in", item_id="sh_1", extras={"@item": {"id": "sh_1"}})
    reply = ChatResponse("r", "m", (Choice(Message("assistant", (call,)), "tool_calls"),))
    assert assemble(disassemble(reply)) == reply
