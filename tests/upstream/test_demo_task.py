import pytest
from tests.fakes.demo_tools import TOOLS, offered

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.core.request import ToolChoice
from callgate.upstream.demo_task import MOST_CHARACTERS, Made, count_tokens, persons_words, read_task


def body(*messages: Json, **more: Json) -> dict[str, Json]:
    return {"model": "m", "messages": list(messages) or [user("hi")], **more}


def user(text: Json) -> Json:
    return {"role": "user", "content": text}


def called(*calls: tuple[str, str, str]) -> Json:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}
            for id_, name, arguments in calls
        ],
    }


def result(call_id: str, text: Json) -> Json:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def test_a_turn_begins_where_the_person_spoke_last() -> None:
    task = read_task(
        body(
            user("old"),
            called(("c0", "read_file", "{}")),
            result("c0", "older"),
            user([{"type": "text", "text": "new"}, {"type": "image_url", "image_url": {"url": "data:"}}]),
            called(("c1", "read_file", '{"path":"a"}'), ("c2", "find_files", "{}")),
            result("c2", [{"type": "text", "text": "two"}]),
            result("c1", "one"),
            user("<system-reminder>\nbe nice\n</system-reminder>"),
        )
    )
    assert task.words == "new"
    assert not task.first
    assert task.made == (Made("c1", "read_file", '{"path":"a"}', "one"), Made("c2", "find_files", "{}", "two"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain", "plain"),
        ("<context>\na\n</context>\n<userRequest>\nread it\n</userRequest>", "read it"),
        ("<environment>\nlinux\n</environment>\nread it", "read it"),
        ("what does <b> mean?", "what does <b> mean?"),
        ("<b>unclosed\n<b>again\nread it", "<b>unclosed\n<b>again\nread it"),
    ],
)
def test_what_the_person_said_is_told_from_what_the_agent_adds(text: str, words: str) -> None:
    assert persons_words(text) == words


def test_tools_and_old_functions_are_both_read() -> None:
    task = read_task(body(tools=offered()))
    assert [tool.name for tool in task.tools] == [tool.name for tool in TOOLS]
    assert task.parallel
    old = read_task(body(functions=[{"name": "f", "parameters": {"type": "object"}}], function_call={"name": "f"}))
    assert old.legacy
    assert not old.parallel
    assert old.choice == ToolChoice("required", ("f",))


def test_a_result_of_an_old_function_finds_its_call() -> None:
    call: Json = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    task = read_task(body(user("go"), call, {"role": "function", "name": "f", "content": "done"}))
    assert [(made.name, made.result) for made in task.made] == [("f", "done")]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("none", ToolChoice("none")),
        ("required", ToolChoice("required")),
        ({"type": "function", "function": {"name": "read_file"}}, ToolChoice("required", ("read_file",))),
        (
            {
                "type": "allowed_tools",
                "allowed_tools": {
                    "mode": "auto",
                    "tools": [{"type": "function", "function": {"name": "read_file"}}],
                },
            },
            ToolChoice("auto", ("read_file",)),
        ),
    ],
)
def test_every_way_to_choose_is_read(choice: Json, expected: ToolChoice) -> None:
    assert read_task(body(tools=offered(), tool_choice=choice)).choice == expected


def test_limits_and_formats_are_read() -> None:
    task = read_task(
        body(
            stream=True,
            stream_options={"include_usage": True},
            max_completion_tokens=7,
            max_tokens=9,
            stop="END",
            response_format={"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}},
        )
    )
    assert (task.stream, task.include_usage, task.max_tokens, task.stop) == (True, True, 7, ("END",))
    assert (task.format.kind, task.format.schema) == ("json_schema", {"type": "object"})


@pytest.mark.parametrize(
    ("bad", "param"),
    [
        ({"model": "m"}, "messages"),
        ({"model": "m", "messages": []}, "messages"),
        ({"messages": [user("x")]}, "model"),
        (body({"role": "robot", "content": "x"}), "messages[0].role"),
        (body({"content": "x"}), "messages[0].role"),
        (body(user({"a": 1})), "messages[0].content"),
        (body(n=2), "n"),
        (body(tools=[{"type": "function"}]), "tools[0].function"),
        (body(tools=[{"type": "web_search"}]), "tools[0].type"),
        (body(tool_choice="auto"), "tool_choice"),
        (body(parallel_tool_calls=False), "parallel_tool_calls"),
        (body(tools=offered(), tool_choice={"type": "function", "function": {"name": "nope"}}), "tool_choice"),
        (body(user("x"), result("c9", "?")), "messages.[1].role"),
        (body(user("x"), {"role": "tool", "content": "?"}), "messages[1].tool_call_id"),
        (body(user("x"), called(("c1", "f", "{}")), user("y")), "messages.[2].role"),
        (body(user("x"), called(("c1", "f", "{}"))), "messages.[2].role"),
        (body(max_tokens=0), "max_tokens"),
        (body(stream="yes"), "stream"),
    ],
)
def test_a_malformed_body_is_refused_by_its_field(bad: dict[str, Json], param: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read_task(bad)
    assert refused.value.fault.param == param


def test_tokens_grow_with_the_text() -> None:
    assert count_tokens("") == 0
    assert count_tokens("one two") == 2
    assert count_tokens("internationalization!") == 5
    assert count_tokens("word " * 10_000) == 12_500
    assert read_task(body(tools=offered())).prompt_tokens > read_task(body()).prompt_tokens


def test_of_a_pasted_book_only_the_head_is_read() -> None:
    assert read_task(body(user("Read a.txt. " + "and so on, " * 10_000))).words.startswith("Read a.txt. and so on")
    assert len(read_task(body(user("x" * 100_000))).words) == MOST_CHARACTERS
