"""Any request and any reply, in no wire's spelling: hypothesis strategies for what clients and providers may say."""

import json
from typing import Any

from hypothesis import strategies as st
from tests.fakes.schemas import DESCRIBED

from callgate.core.messages import (
    Citation,
    File,
    Image,
    Message,
    Part,
    Reasoning,
    Refusal,
    ResultPart,
    Text,
    TokenLogprob,
    ToolCall,
    ToolResult,
    Usage,
)
from callgate.core.request import (
    ChatRequest,
    ChatResponse,
    Choice,
    ReplyFormat,
    Sampling,
    Thinking,
    ToolChoice,
    WireName,
)
from callgate.core.tool import ToolSpec

WIRES: tuple[WireName, ...] = ("openai-chat", "openai-responses", "anthropic", "gemini", "ollama")
TEXTS = st.text(max_size=20)
IDS = st.sampled_from(["call_1", "call_2", "toolu_x", "functions.f:0", "i" * 70])
NAMES = st.sampled_from(["look", "find_all", "a.b", "x y", "größe", "n" * 90])
NAMESPACES = st.sampled_from(["", "", "ns", "other.ns"])
EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]
SHARES = st.none() | st.floats(0, 1)
LENGTHS = st.none() | st.sampled_from([1, 2048, 64_000])

IMAGES = st.builds(Image, st.sampled_from(["image/png", "image/jpeg"]), st.just("iVBORw0KGgo=")) | st.builds(
    Image, url=st.just("https://a.example/a.png"), detail=st.sampled_from(["", "low", "high"])
)
FILES = st.builds(
    File, st.sampled_from(["application/pdf", "text/plain", "audio/wav"]), st.just("JVBERi0="), name=st.just("a.pdf")
) | st.builds(File, st.just("application/pdf"), url=st.just("https://a.example/a.pdf"))
SAID: st.SearchStrategy[Part] = st.builds(Text, TEXTS) | IMAGES | FILES
SHOWN: st.SearchStrategy[ResultPart] = st.builds(Text, TEXTS) | IMAGES | FILES
ARGUMENTS = st.dictionaries(TEXTS, TEXTS, max_size=2).map(json.dumps) | st.sampled_from(["", "{", "[1]", "null"])

SPECS = st.builds(
    ToolSpec,
    NAMES,
    TEXTS,
    st.none() | DESCRIBED.map(lambda pair: pair[0]),
    st.sampled_from([None, True, False]),
    namespace=NAMESPACES,
) | st.builds(
    ToolSpec,
    NAMES,
    TEXTS,
    variant=st.just("custom"),
    format=st.sampled_from(
        [None, {"type": "text"}, {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"}]
    ),
    namespace=NAMESPACES,
)
FORMATS = st.sampled_from([ReplyFormat("text"), ReplyFormat("json_object")]) | st.builds(
    ReplyFormat,
    st.just("json_schema"),
    st.sampled_from(["", "shape"]),
    DESCRIBED.map(lambda pair: pair[0]),
    st.sampled_from([None, True, False]),
)
SAMPLINGS = st.builds(
    Sampling,
    LENGTHS,
    st.none() | st.floats(0, 2),
    SHARES,
    st.none() | st.integers(1, 40),
    st.sampled_from([(), ("END",), ("a", "b", "c", "d", "e", "f")]),
    st.none() | st.integers(0, 9),
    st.sampled_from([None, 1]),
    SHARES,
    SHARES,
)
THINKINGS = st.builds(
    Thinking,
    st.sampled_from(["", *EFFORTS]),
    st.sampled_from([None, 0, -1, 1024, 30_000]),
    st.sampled_from(["", "auto", "concise", "detailed"]),
)


@st.composite
def requests(draw: st.DrawFn) -> ChatRequest:
    tools = tuple(draw(st.lists(SPECS, max_size=4, unique_by=lambda tool: (tool.namespace, tool.name))))
    messages = [
        Message(role, (Text(draw(TEXTS)),)) for role in draw(st.sampled_from([(), ("system",), ("developer",)]))
    ]
    for _ in range(draw(st.integers(1, 3))):
        messages.append(Message("user", tuple(draw(st.lists(SAID, min_size=1, max_size=3)))))
        messages += draw(_turn([*tools, draw(SPECS)]))
    messages.append(Message("user", (Text("go on"),)))
    names = tuple(tool.name for tool in tools)
    modes = ["auto", "none", *(["required"] if tools else [])]
    choices = st.builds(ToolChoice, st.sampled_from(modes), st.sampled_from([(), names[:1], names]))
    return ChatRequest(
        draw(st.sampled_from(WIRES)),
        "m",
        tuple(messages),
        tools,
        draw(st.none() | choices),
        draw(st.sampled_from([None, True, False])),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(SAMPLINGS),
        draw(st.none() | THINKINGS),
        draw(st.none() | FORMATS),
    )


@st.composite
def _turn(draw: st.DrawFn, tools: list[ToolSpec]) -> list[Message]:
    """What the assistant said and called, and what its calls gave."""
    parts: list[Part] = list(draw(st.lists(st.builds(Reasoning, TEXTS), max_size=1)))
    parts += draw(st.lists(st.builds(Text, TEXTS) | st.builds(Refusal, TEXTS), max_size=2))
    called = draw(st.lists(st.sampled_from(tools), max_size=3))
    calls = [
        ToolCall(
            f"{draw(IDS)}{number}",
            tool.name,
            draw(TEXTS if tool.variant == "custom" else ARGUMENTS),
            tool.variant,
            tool.namespace,
        )
        for number, tool in enumerate(called)
    ]
    results = [
        ToolResult(
            call.id, tuple(draw(st.lists(SHOWN, max_size=2))), draw(st.booleans()), call.name, variant=call.variant
        )
        for call in calls
    ]
    spoken = [*parts, *calls] or [Text("Hm.")]
    return [Message("assistant", tuple(spoken)), *(Message("tool", (result,)) for result in results)]


CHANCES = st.builds(
    TokenLogprob,
    TEXTS,
    st.floats(-9, 0),
    st.none() | st.just((65,)),
    st.lists(st.builds(TokenLogprob, TEXTS, st.floats(-9, 0)), max_size=2).map(tuple),
)


@st.composite
def _cited_text(draw: st.DrawFn) -> Text:
    text = draw(TEXTS)
    start = draw(st.none() | st.integers(0, len(text)))
    end = None if start is None else draw(st.integers(start, len(text)))
    pages = st.sampled_from(["", "https://a.example"])
    found = draw(st.lists(st.builds(Citation, pages, TEXTS, TEXTS, st.just(start), st.just(end)), max_size=2))
    return Text(text, citations=tuple(found), tokens=tuple(draw(st.lists(CHANCES, max_size=2))))


ANSWERED: st.SearchStrategy[Part] = st.one_of(
    _cited_text(),
    st.builds(Refusal, TEXTS),
    st.builds(Reasoning, TEXTS),
    st.builds(Reasoning, TEXTS, st.just("c2ln"), wire=st.sampled_from(WIRES)),
    st.builds(Reasoning, signature=st.just("c2ln"), redacted=st.just(True), wire=st.just("anthropic")),
    st.builds(ToolCall, IDS, NAMES, ARGUMENTS, signature=st.sampled_from(["", "c2ln"]), wire=st.just("gemini")),
    IMAGES,
)
USAGES = st.builds(Usage, *[st.integers(0, 9)] * 5)
FINISHES: Any = st.sampled_from(["stop", "length", "tool_calls", "content_filter", "refusal", "pause"])


def replies(choices: int = 1) -> st.SearchStrategy[ChatResponse]:
    answers = st.lists(ANSWERED, max_size=5).map(lambda parts: Message("assistant", tuple(parts)))
    choice = st.builds(Choice, answers, FINISHES, TEXTS)
    several = st.lists(choice, min_size=1, max_size=choices).map(tuple)
    ids = st.sampled_from(["", "resp_1", "msg_1", "chatcmpl-1"])
    return st.builds(ChatResponse, ids, st.sampled_from(["", "m"]), several, st.none() | USAGES, st.integers(0, 9))
