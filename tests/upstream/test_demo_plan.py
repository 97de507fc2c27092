import jsonschema_rs
from tests.fakes.demo_tools import TOOLS, offered

from callgate.core.invocation import denied_text
from callgate.core.messages import Json
from callgate.upstream.demo_plan import Said, plan
from callgate.upstream.demo_task import read_task
from callgate.wire.json_text import parse


class Talk:
    """A conversation with the model; each `round` is one request."""

    def __init__(self, words: str, **more: Json) -> None:
        self.messages: list[Json] = [{"role": "user", "content": words}]
        self.more = {"tools": offered(), **more}

    def round(self, *results: str) -> Said:
        for call, result in zip(self.calls, results, strict=True) if results else ():
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
        said = plan(read_task({"model": "m", "messages": self.messages, **self.more}))
        self.calls = said.calls
        spelled: list[Json] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in said.calls
        ]
        self.messages.append({"role": "assistant", "content": said.text, "tool_calls": spelled})
        return said

    def say(self, words: str) -> None:
        self.messages.append({"role": "user", "content": words})


def names(said: Said) -> list[str]:
    return [call.name for call in said.calls]


def test_calls_are_made_once_and_their_results_are_used() -> None:
    talk = Talk("Read a.txt and list src")
    assert names(talk.round()) == ["read_file", "list_directory"]
    answer = talk.round("alpha", "x.py")
    assert (answer.calls, answer.finish) == ((), "stop")
    assert "alpha" in answer.text
    assert "x.py" in answer.text


def test_a_later_step_waits_for_the_results_of_the_first() -> None:
    talk = Talk("Read a.txt then run `ls`")
    assert names(talk.round()) == ["read_file"]
    assert names(talk.round("alpha")) == ["run_command"]
    assert talk.round("beta").finish == "stop"


def test_without_parallel_calls_they_come_one_by_one() -> None:
    talk = Talk("weather in Paris and Rome", parallel_tool_calls=False)
    assert [call.arguments for call in talk.round().calls] == ['{"city":"Paris"}']
    assert [call.arguments for call in talk.round("sun").calls] == ['{"city":"Rome"}']
    assert talk.round("rain").calls == ()


def test_a_refused_tool_is_not_called_again_nor_worked_around() -> None:
    talk = Talk("Read a.txt then read b.txt")
    assert names(talk.round()) == ["read_file"]
    answer = talk.round(denied_text("read_file", "private", "the user"))
    assert answer.calls == ()
    assert "“private”" in answer.text


def test_the_person_may_ask_again_after_a_refusal() -> None:
    talk = Talk("Read a.txt")
    talk.round()
    talk.round(denied_text("read_file", "", "the user"))
    talk.say("Read b.txt")
    assert names(talk.round()) == ["read_file"]


def test_a_call_that_a_person_edited_counts_as_made() -> None:
    talk = Talk("Read a.txt")
    talk.round()
    assistant = talk.messages[-1]
    assert isinstance(assistant, dict)
    assistant["tool_calls"] = [
        {"id": talk.calls[0].id, "type": "function", "function": {"name": "read_file", "arguments": '{"path":"b"}'}}
    ]
    assert talk.round("beta").calls == ()


def test_the_tool_choice_is_honoured() -> None:
    assert Talk("Read a.txt", tool_choice="none").round().calls == ()
    assert names(Talk("hello", tool_choice="required").round()) != []
    named: Json = {"type": "function", "function": {"name": "find_files"}}
    assert names(Talk("Read a.txt", tool_choice=named).round()) == ["find_files"]
    allowed: Json = {
        "type": "allowed_tools",
        "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "find_files"}}]},
    }
    assert names(Talk("Read a.txt and find *.py files", tool_choice=allowed).round()) == ["find_files"]


def test_a_demanded_call_is_made_once_a_turn_and_fits_its_schema() -> None:
    talk = Talk("hello", tool_choice="required")
    [call] = talk.round().calls
    [tool] = [tool for tool in TOOLS if tool.name == call.name]
    jsonschema_rs.validate(dict(tool.schema or {}), parse(call.arguments))
    assert talk.round("done").calls == ()


def test_an_old_function_is_called_alone() -> None:
    functions: Json = [tool["function"] for tool in offered() if isinstance(tool, dict)]
    said = Talk("weather in Paris and Rome", tools=None, functions=functions).round()
    assert (names(said), said.finish) == (["get_weather"], "function_call")


def test_a_json_answer_is_json() -> None:
    said = Talk("hello", response_format={"type": "json_object"}).round()
    answer = parse(said.text)
    assert isinstance(answer, dict)
    assert answer["tools_used"] == []


def test_an_answer_of_a_demanded_shape_fits_it() -> None:
    shape: dict[str, Json] = {
        "type": "object",
        "properties": {"answer": {"type": "string"}, "mood": {"enum": ["good", "bad"]}, "n": {"type": "integer"}},
        "required": ["answer", "mood", "n"],
        "additionalProperties": False,
    }
    wanted: Json = {"type": "json_schema", "json_schema": {"name": "s", "schema": shape}}
    said = Talk("hello, good day", response_format=wanted).round()
    answer = parse(said.text)
    jsonschema_rs.validate(shape, answer)
    assert isinstance(answer, dict)
    assert answer["mood"] == "good"
    assert "Callgate" in str(answer["answer"])


def test_an_answer_ends_at_a_stop_word() -> None:
    said = Talk("Read a.txt", stop=["demo"]).round()
    assert said.text.endswith("built-in ")
    assert (said.calls, said.finish) == ((), "stop")


def test_an_answer_ends_at_the_limit_of_tokens() -> None:
    short = Talk("hello", max_tokens=5).round()
    assert (short.tokens, short.finish) == (5, "length")
    full = Talk("Read a.txt").round()
    cut = Talk("Read a.txt", max_completion_tokens=full.tokens - 3).round()
    assert cut.finish == "length"
    assert full.calls[0].arguments.startswith(cut.calls[0].arguments)
    assert cut.calls[0].arguments != full.calls[0].arguments
