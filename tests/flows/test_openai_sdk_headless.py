"""The official OpenAI package against a station without a window: every way a call can go."""

import threading
from collections.abc import Iterator
from pathlib import Path

import openai
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, call_deltas, chat_stream, provider

from callgate.core.calls.invocation import Decision, shown_hash
from callgate.core.events import ExchangeEnded, RoundStarted
from callgate.runtime.runtime import Launch

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Current weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
CALLS = [
    *call_deltas(0, "call_paris", "get_weather", '{"city":', '"Paris"}'),
    *call_deltas(1, "call_rome", "get_weather", '{"city":"Rome"}'),
]
TWO_CALLS = chat_stream({"content": "Let me look."}, *CALLS, finish="tool_calls")
FINAL = chat_stream({"content": "It is "}, {"content": "mild."})


def config(tmp_path: Path, provider: ScriptedProvider, more: str = "") -> Path:
    path = tmp_path / "callgate.toml"
    path.write_text(
        f'{more}\n[[upstreams]]\nname = "up"\nwire = "openai-chat"\n'
        f'base_url = "{provider.address}/v1"\nmodels = ["gpt-*"]\n',
        "utf-8",
    )
    return path


def launch(tmp_path: Path, config: Path | None = None, **more: object) -> Launch:
    workspace = tmp_path / "workspace"
    workspace.mkdir(exist_ok=True)
    (workspace / "notes.txt").write_text("buy milk\n", "utf-8")
    return Launch(config, 0, workspace, tmp_path / "data", demo_pace_ms=0, **more)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def closed_clients() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


OPEN: list[openai.OpenAI] = []


def client(runtime: RunningStation) -> openai.OpenAI:
    OPEN.append(openai.OpenAI(base_url=f"{runtime.address}/v1", api_key="sk-test-key", max_retries=0, timeout=10))
    return OPEN[-1]


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[RunningStation]:
    with running(launch(tmp_path)) as runtime:
        yield runtime


def ask_weather(sdk: openai.OpenAI, messages: list, stream: bool):
    """The assistant's message, streamed or not."""
    if not stream:
        return sdk.chat.completions.create(model="gpt-x", messages=messages, tools=[WEATHER]).choices[0].message
    with sdk.chat.completions.stream(model="gpt-x", messages=messages, tools=[WEATHER]) as events:
        for _ in events:
            pass
        return events.get_final_completion().choices[0].message


def test_models_and_tools_are_listed(demo: RunningStation) -> None:
    sdk = client(demo)
    assert [model.id for model in sdk.models.list()] == ["callgate-demo"]
    assert sdk.models.retrieve("callgate-demo").owned_by == "demo"


@pytest.mark.parametrize("stream", [True, False])
def test_an_approved_call_runs_and_its_result_is_in_the_answer(demo: RunningStation, stream: bool) -> None:
    sdk = client(demo)
    extra = {"use_vscode_tools": True, "tool_execution": "auto"}
    demo.do(lambda: demo.runtime.bus.subscribe(_approve_all(demo)))
    messages = [{"role": "user", "content": "What does notes.txt say?"}]
    if stream:
        chunks = sdk.chat.completions.create(model="any", messages=messages, stream=True, extra_body=extra)
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    else:
        text = sdk.chat.completions.create(model="any", messages=messages, extra_body=extra).choices[0].message.content
    assert "buy milk" in text
    assert demo.wait_for_state("Completed").decided_by == "person"


def _approve_all(runtime: RunningStation):
    def hear(event) -> None:
        if event.kind == "invocation" and event.invocation.state == "WaitingForConfirmation":
            runtime.runtime.tasks.start(_approve(runtime, event.invocation), "approve")

    return hear


async def _approve(runtime: RunningStation, invocation) -> None:
    runtime.runtime.console.decide(invocation.id, Decision("approve", shown=shown_hash(invocation)), "test")


@pytest.mark.parametrize("stream", [True, False])
def test_in_pass_through_the_client_runs_the_calls_and_the_bytes_are_untouched(tmp_path: Path, stream: bool) -> None:
    plain = (
        b'{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"gpt-x","choices":[{"index":0,"message":{"role":'
        b'"assistant","content":null,"tool_calls":[{"id":"call_paris","type":"function","function":{"name":"get_weather",'
        b'"arguments":"{\\"city\\": \\"Paris\\"}"}}]},"finish_reason":"tool_calls"}]}'
    )
    replies = [Reply(TWO_CALLS), Reply(FINAL)] if stream else [Reply(plain, content_type="application/json")]
    with provider(*replies) as up, running(launch(tmp_path, config(tmp_path, up), windowed=False)) as runtime:
        sdk = client(runtime)
        messages: list = [{"role": "user", "content": "Weather in Paris and Rome?"}]
        message = ask_weather(sdk, messages, stream)
        calls = message.tool_calls
        assert [call.id for call in calls][0] == "call_paris"
        assert up.asked[0].headers["authorization"] == "Bearer sk-test-key"
        assert runtime.wait_for_state("Released").decided_by == "setting"
        if stream:
            results = [{"role": "tool", "tool_call_id": call.id, "content": "21 C"} for call in calls]
            final = ask_weather(sdk, [*messages, message.model_dump(exclude_none=True), *results], stream)
            assert final.content == "It is mild."
            ended = [e for e in runtime.events if isinstance(e, ExchangeEnded)]
            assert len({e.conversation_id for e in ended}) == 1


def test_a_denied_call_is_never_seen_by_the_client_and_the_model_hears_why(tmp_path: Path) -> None:
    rules = '[[rules]]\nverdict = "deny"\ntool = "get_weather"\nwhen = "args.city:Rome"\nnote = "Rome is closed"\n'
    with (
        provider(Reply(TWO_CALLS), Reply(FINAL)) as up,
        running(launch(tmp_path, config(tmp_path, up, rules), windowed=False)) as runtime,
    ):
        message = ask_weather(client(runtime), [{"role": "user", "content": "Weather?"}], stream=True)
        assert [call.id for call in message.tool_calls] == ["call_paris"]
        messages = [
            {"role": "user", "content": "Weather?"},
            message.model_dump(exclude_none=True),
            {"role": "tool", "tool_call_id": "call_paris", "content": "21 C"},
        ]
        assert ask_weather(client(runtime), messages, stream=True).content == "It is mild."
        history = up.asked[1].body["messages"]
        assert [call["id"] for call in history[1]["tool_calls"]] == ["call_paris", "call_rome"]
        results = {item["tool_call_id"]: item["content"] for item in history if item["role"] == "tool"}
        assert results["call_paris"] == "21 C"
        assert "Rome is closed" in results["call_rome"] and "not run" in results["call_rome"]


def test_when_all_calls_are_denied_the_model_is_asked_again_in_the_same_stream(tmp_path: Path) -> None:
    rules = '[[rules]]\nverdict = "deny"\n'
    with (
        provider(Reply(TWO_CALLS), Reply(FINAL)) as up,
        running(launch(tmp_path, config(tmp_path, up, rules), windowed=False)) as runtime,
    ):
        message = ask_weather(client(runtime), [{"role": "user", "content": "Weather?"}], stream=True)
        assert not message.tool_calls
        assert message.content == "Let me look.\n\nIt is mild."
        later = [
            {"role": "user", "content": "Weather?"},
            message.model_dump(exclude_none=True),
            {"role": "user", "content": "Thanks"},
        ]
        ask_weather(client(runtime), later, stream=True)
        roles = [item["role"] for item in up.asked[2].body["messages"]]
        assert roles == ["user", "assistant", "tool", "tool", "assistant", "user"]
        rounds = [e for e in runtime.events if isinstance(e, RoundStarted)]
        assert [r.untouched for r in rounds] == [True, False, False]


def test_a_call_that_nobody_decides_counts_as_denied_at_the_deadline(tmp_path: Path) -> None:
    gate = "[gate]\ndeadline_seconds = 0.2\n"
    with (
        provider(Reply(TWO_CALLS), Reply(FINAL)) as up,
        running(launch(tmp_path, config(tmp_path, up, gate))) as runtime,
    ):
        message = ask_weather(client(runtime), [{"role": "user", "content": "Weather?"}], stream=True)
        assert message.content.endswith("It is mild.")
        assert runtime.wait_for_state("Cancelled").reason == "Timeout"
        results = [item["content"] for item in up.asked[1].body["messages"] if item["role"] == "tool"]
        assert len(results) == 2 and all("nobody approved it" in text for text in results)


def test_an_edited_call_reaches_the_client_as_it_was_edited(tmp_path: Path) -> None:
    one = chat_stream(*call_deltas(0, "call_1", "get_weather", '{"city":"Paris"}'), finish="tool_calls")
    with provider(Reply(one)) as up, running(launch(tmp_path, config(tmp_path, up))) as runtime:
        chunks = client(runtime).chat.completions.create(
            model="gpt-x", messages=[{"role": "user", "content": "Weather?"}], tools=[WEATHER], stream=True
        )
        waiting = runtime.wait_for_state("WaitingForConfirmation")
        assert runtime.decide(waiting, Decision("approve", arguments='{"city":"Oslo"}'))
        arguments = "".join(
            call.function.arguments or ""
            for chunk in chunks
            for choice in chunk.choices
            for call in choice.delta.tool_calls or ()
        )
        assert arguments == '{"city":"Oslo"}'


def test_an_answer_in_place_of_the_tool_goes_to_the_model(tmp_path: Path) -> None:
    one = chat_stream(*call_deltas(0, "call_1", "get_weather", "{}"), finish="tool_calls")
    with provider(Reply(one), Reply(FINAL)) as up, running(launch(tmp_path, config(tmp_path, up))) as runtime:
        chunks = client(runtime).chat.completions.create(
            model="gpt-x", messages=[{"role": "user", "content": "Weather?"}], tools=[WEATHER], stream=True
        )
        waiting = runtime.wait_for_state("WaitingForConfirmation")
        runtime.decide(waiting, Decision("answer", result="sunny, says the person"))
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
        assert text == "It is mild."
        assert up.asked[1].body["messages"][-1]["content"] == "sunny, says the person"


def test_a_client_that_hangs_up_withdraws_its_call(tmp_path: Path) -> None:
    with provider(Reply(TWO_CALLS)) as up, running(launch(tmp_path, config(tmp_path, up))) as runtime:
        chunks = client(runtime).chat.completions.create(
            model="gpt-x", messages=[{"role": "user", "content": "Weather?"}], tools=[WEATHER], stream=True
        )
        runtime.wait_for_state("WaitingForConfirmation")
        chunks.close()
        cancelled = runtime.wait_for_state("Cancelled")
        assert cancelled.decided_by == "client"
        assert (
            runtime.wait_for(lambda events: next((e for e in events if isinstance(e, ExchangeEnded)), None)).outcome
            == "cancelled"
        )
        assert not runtime.do(lambda: runtime.runtime.console.waiting())
        assert not runtime.decide(cancelled, Decision("approve"))


def test_upstream_is_left_at_once_when_the_client_leaves(tmp_path: Path) -> None:
    reply = Reply(FINAL, hold=threading.Event())
    with provider(reply) as up, running(launch(tmp_path, config(tmp_path, up))) as runtime:
        chunks = client(runtime).chat.completions.create(
            model="gpt-x", messages=[{"role": "user", "content": "Hi"}], stream=True
        )
        next(iter(chunks))
        chunks.close()
        assert up.hung_up.wait(1), "the provider was still being read a second later"


def test_provider_errors_keep_their_status_and_words(tmp_path: Path) -> None:
    body = b'{"error":{"message":"Incorrect API key","type":"invalid_request_error","code":"invalid_api_key"}}'
    with (
        provider(Reply(body, 401, "application/json")) as up,
        running(launch(tmp_path, config(tmp_path, up))) as runtime,
    ):
        with pytest.raises(openai.AuthenticationError, match="Incorrect API key"):
            client(runtime).chat.completions.create(model="gpt-x", messages=[{"role": "user", "content": "Hi"}])
        with pytest.raises(openai.NotFoundError, match="does not exist here"):
            client(runtime).chat.completions.create(model="other", messages=[{"role": "user", "content": "Hi"}])


def test_a_stream_that_is_cut_off_is_reported_inside_the_stream(tmp_path: Path) -> None:
    with provider(Reply(FINAL, cut=True)) as up, running(launch(tmp_path, config(tmp_path, up))) as runtime:
        chunks = client(runtime).chat.completions.create(
            model="gpt-x", messages=[{"role": "user", "content": "Hi"}], stream=True
        )
        with pytest.raises(openai.APIError):
            list(chunks)


def test_a_refusal_and_the_headers_that_matter_reach_a_client_of_the_same_wire_as_they_came(tmp_path: Path) -> None:
    body = b'{"error":{"message":"Broken","type":"server_error","code":null,"unknown":[1]},"trace":"t1"}'
    limits = "x-request-id: req_1\r\nx-ratelimit-remaining-requests: 7\r\nset-cookie: a=b\r\n"
    with (
        provider(Reply(FINAL, headers=limits), Reply(body, 500, "application/json")) as up,
        running(launch(tmp_path, config(tmp_path, up))) as runtime,
    ):
        sdk = client(runtime)
        ask = {"model": "gpt-x", "messages": [{"role": "user", "content": "Hi"}], "stream": True}
        with sdk.chat.completions.with_streaming_response.create(**ask) as answer:
            answer.read()
            assert answer.headers["x-request-id"] == "req_1"
            assert answer.headers["x-ratelimit-remaining-requests"] == "7"
            assert "set-cookie" not in answer.headers
        with pytest.raises(openai.InternalServerError) as refused:
            sdk.chat.completions.create(**ask)
        assert refused.value.status_code == 500 and refused.value.response.content == body
