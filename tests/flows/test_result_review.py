"""Results that a person sees before the model does: of tools that Callgate runs, and of those that a client runs."""

import threading
from pathlib import Path

import openai
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, chat_stream, provider

from callgate.core.calls.invocation import Decision, Invocation
from callgate.runtime.runtime import Launch

RULES = '[[rules]]\nverdict = "allow"\nreview = true\n'
TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
HISTORY: list = [
    {"role": "user", "content": "Weather?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Paris"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "call_1", "content": "21 C, and the password is hunter2"},
]


def launch(tmp_path: Path, up: ScriptedProvider | None = None, rules: str = RULES) -> Launch:
    (tmp_path / "notes.txt").write_text("buy milk\n", "utf-8")
    config = tmp_path / "callgate.toml"
    upstream = f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\n' if up else ""
    config.write_text(rules + upstream, "utf-8")
    return Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)


def ask(runtime: RunningStation, messages: list, **more: object) -> tuple[threading.Thread, list[str]]:
    said: list[str] = []

    def run() -> None:
        with openai.OpenAI(base_url=f"{runtime.address}/v1", api_key="k", max_retries=0, timeout=10) as sdk:
            done = sdk.chat.completions.create(model="gpt-x", messages=messages, **more)  # type: ignore[call-overload]
            said.append(done.choices[0].message.content)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, said


def held(runtime: RunningStation) -> Invocation:
    return runtime.wait_for_state("WaitingForPostApproval")


@pytest.mark.parametrize(
    ("decision", "expected", "unexpected"),
    [
        (Decision("accept"), "buy milk", "withholds"),
        (Decision("edit_result", result="buy nothing"), "buy nothing", "buy milk"),
        (Decision("withhold", reason="private"), "", "buy milk"),
    ],
)
def test_the_result_of_a_tool_that_callgate_runs_is_accepted_edited_or_withheld(
    tmp_path: Path, decision: Decision, expected: str, unexpected: str
) -> None:
    with running(launch(tmp_path)) as runtime:
        extra = {"use_tools": True, "tool_execution": "auto"}
        thread, said = ask(runtime, [{"role": "user", "content": "Read notes.txt"}], extra_body=extra)
        waiting = held(runtime)
        assert waiting.ran_result is not None and "buy milk" in waiting.ran_result.text
        assert runtime.decide(waiting, decision)
        thread.join(10)
        assert expected in said[0] and unexpected not in said[0]


def test_the_result_of_a_clients_own_tool_is_held_before_the_model_sees_it(tmp_path: Path) -> None:
    plain = (
        b'{"id":"c","object":"chat.completion","created":1,"model":"gpt-x","choices":[{"index":0,"message":'
        b'{"role":"assistant","content":"Mild."},"finish_reason":"stop"}]}'
    )
    with provider(Reply(plain, content_type="application/json")) as up, running(launch(tmp_path, up)) as runtime:
        thread, said = ask(runtime, HISTORY, tools=[TOOL])
        waiting = held(runtime)
        assert not up.asked, "the model saw it too early"
        assert (waiting.tool, waiting.arguments) == ("get_weather", '{"city":"Paris"}')
        runtime.decide(waiting, Decision("edit_result", result="21 C"))
        thread.join(10)
        assert said == ["Mild."]
        sent = up.asked[0].body["messages"][2]
        assert (sent["role"], sent["tool_call_id"], sent["content"]) == ("tool", "call_1", "21 C")


def test_without_a_rule_that_asks_for_it_results_pass_untouched(tmp_path: Path) -> None:
    with provider(Reply(chat_stream({"content": "Mild."}))) as up, running(launch(tmp_path, up, "")) as runtime:
        with openai.OpenAI(base_url=f"{runtime.address}/v1", api_key="k", max_retries=0, timeout=10) as sdk:
            list(sdk.chat.completions.create(model="gpt-x", messages=HISTORY, tools=[TOOL], stream=True))
        assert up.asked[0].body["messages"] == HISTORY
