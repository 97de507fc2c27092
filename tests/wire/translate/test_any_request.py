import json
import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.wire.translate.test_names import PATTERNS

from callgate.core.assembly import assemble
from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Delta, Started
from callgate.core.json.text import mend
from callgate.core.messages import CallVariant, Message, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, ToolChoice, WireName
from callgate.core.tool import ToolSpec
from callgate.wire.anthropic_messages import AnthropicMessages
from callgate.wire.codec import Codec
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.gemini_generate import GeminiGenerate
from callgate.wire.openai_chat import OpenAIChat
from callgate.wire.openai_responses import OpenAIResponses
from callgate.wire.translate import translate

CODECS: dict[WireName, Codec] = {
    "openai-chat": OpenAIChat(),
    "openai-responses": OpenAIResponses(),
    "anthropic": AnthropicMessages(),
    "gemini": GeminiGenerate(),
}
WIRES = sorted(CODECS)
ASK = say("user", "go on")

NAMES = st.text("ab_.-9 ", min_size=1, max_size=5) | st.text("ab", min_size=62, max_size=130)
TEXTS = st.text(max_size=20)
VARIANTS: list[CallVariant] = ["function", "custom"]
SPECS = st.builds(
    ToolSpec,
    NAMES,
    st.text(max_size=5),
    variant=st.sampled_from(VARIANTS),
    namespace=st.sampled_from(["", "", "ns", "other.ns"]),
)


@st.composite
def requests(draw: st.DrawFn) -> ChatRequest:
    tools = tuple(draw(st.lists(SPECS, max_size=6, unique_by=lambda tool: (tool.namespace, tool.name))))
    gone = draw(SPECS)
    messages: list[Message] = [ASK]
    for _ in range(draw(st.integers(0, 3))):
        called = draw(st.lists(st.sampled_from([*tools, gone]), min_size=1, max_size=3))
        calls = [
            ToolCall(draw(st.sampled_from("xyz")), tool.name, draw(arguments_of(tool)), tool.variant, tool.namespace)
            for tool in called
        ]
        messages.append(Message("assistant", (Text("so"), *calls)))
        messages += [Message("tool", (ToolResult(call.id, (Text("ok"),), variant=call.variant),)) for call in calls]
    names = tuple(tool.name for tool in tools)
    choice = draw(st.none() | st.builds(ToolChoice, st.sampled_from(["auto", "required"]), st.just(names[:2])))
    return ChatRequest(
        draw(st.sampled_from(WIRES)),
        "m",
        (*messages, ASK),
        tools,
        choice,
        parallel_calls=draw(st.sampled_from([None, True, False])),
    )


def arguments_of(tool: ToolSpec) -> st.SearchStrategy[str]:
    return TEXTS if tool.variant == "custom" else st.dictionaries(TEXTS, TEXTS, max_size=2).map(json.dumps)


@given(requests(), st.sampled_from(WIRES), st.sampled_from(["", "vllm", "ollama"]))
def test_any_request_is_lowered_to_names_that_the_target_takes(
    request: ChatRequest, target: WireName, dialect: str
) -> None:
    found = translate(request, target, "m", DIALECTS.get(dialect, PLAIN)).request
    if request.wire == target:
        if not dialect and target != "gemini":  # which can't be told to make one call at a time, so no client says it
            assert found is request
        assert [tool.name for tool in found.tools if isinstance(tool, ToolSpec)] == [
            tool.name for tool in request.tools if isinstance(tool, ToolSpec)
        ]
        return
    specs = [tool for tool in found.tools if isinstance(tool, ToolSpec)]
    calls = [call for message in found.messages for call in message.calls]
    results = [result for message in found.messages for result in message.results]
    names = [*(spec.name for spec in specs), *(call.name for call in calls), *(result.name for result in results)]
    assert all(re.fullmatch(PATTERNS[target], name) for name in names)
    assert len({(spec.namespace, spec.name) for spec in specs}) == len(request.tools)
    chosen = found.tool_choice.names if found.tool_choice else ()
    assert set(chosen) <= {spec.name for spec in specs}
    assert target == "openai-responses" or not any(spec.namespace for spec in specs)
    assert target == "openai-responses" or not any(call.namespace for call in calls)
    assert [result.call_id for result in results] == [call.id for call in calls] or target == "anthropic"


@given(requests(), st.sampled_from(WIRES), st.sampled_from(["", "vllm", "ollama"]), st.data())
def test_calls_of_lowered_tools_come_back_as_the_client_knows_them(
    request: ChatRequest, target: WireName, dialect: str, data: st.DataObject
) -> None:
    found = translate(replace(request, parallel_calls=None), target, "m", DIALECTS.get(dialect, PLAIN))
    said = [data.draw(arguments_of(tool)) for tool in request.tools if isinstance(tool, ToolSpec)]
    deltas: list[Delta] = [Started("r", "m")]
    for part, (before, after, text) in enumerate(zip(request.tools, found.request.tools, said, strict=True)):
        assert isinstance(before, ToolSpec)
        assert isinstance(after, ToolSpec)
        wrapped = before.variant == "custom" and after.variant == "function"
        arguments = json.dumps({"input": text}) if wrapped else text
        cut = data.draw(st.integers(0, len(arguments)))
        deltas += [
            CallStarted(part, f"call_{part}", after.name, after.variant, after.namespace),
            ArgumentsDelta(part, arguments[:cut]),
            ArgumentsDelta(part, arguments[cut:]),
            CallEnded(part, arguments),
        ]
    restorer = found.restorer()
    back = [out for delta in deltas for out in restorer.restore(delta)]
    calls = assemble(back).choices[0].message.calls
    assert [(call.namespace, call.name, call.variant) for call in calls] == [
        (tool.namespace, tool.name, tool.variant) for tool in request.tools if isinstance(tool, ToolSpec)
    ]
    assert [call.arguments for call in calls] == [mend(text) for text in said]
    for part, text in enumerate(said):
        live = "".join(d.text for d in back if isinstance(d, ArgumentsDelta) and d.part == part)
        assert live == mend(text)


@given(requests(), st.sampled_from(WIRES), st.sampled_from(["", "vllm", "ollama"]))
def test_every_lowered_request_can_be_written(request: ChatRequest, target: WireName, dialect: str) -> None:
    quirks = DIALECTS.get(dialect, PLAIN)
    if request.wire != target:
        CODECS[target].write_request(translate(request, target, "m", quirks).request, quirks)
