"""Tools across wires: free-form and grouped ones, calls that are run here, calls that are denied."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from tests.fakes.providers import scene
from tests.fakes.providers.service import Reply, Service
from tests.fakes.sdks.heard import Agent, Heard
from tests.fakes.sdks.openai_responses import STATELESS
from tests.fakes.translating import MODELS, WIRES, Stage, stage

from callgate.core.events import InvocationChanged
from callgate.upstream.demo.model import DEMO_MODEL

PATCH = '*** Begin Patch\n*** Update File: größe.txt\n-"alt" \\ {}\n+neu\t🌍\n*** End Patch\n'
GRAMMAR = 'start: "*** Begin Patch" /(.|\\n)+/'
PATCH_TOOL = {
    "type": "custom",
    "name": "apply_patch",
    "description": "Edits files",
    "format": {"type": "grammar", "syntax": "lark", "definition": GRAMMAR},
}
OPEN_TOOL = {
    "type": "function",
    "name": "open",
    "description": "Opens a file",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    "strict": False,
}
FILES = {"type": "namespace", "name": "files", "description": "Files", "tools": [OPEN_TOOL]}
OPEN_ARGUMENTS = {"path": "größe.txt"}
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    allow = '[[rules]]\nverdict = "allow"\ntool = "read_file"\n'
    deny = '[[rules]]\nverdict = "deny"\ntool = "find_note"\nnote = "Notes are private"\n'
    with stage(tmp_path_factory.mktemp("tools"), allow + deny) as services, services.open() as opened:
        yield opened


@pytest.fixture(autouse=True)
def strict_services(played: Stage) -> Iterator[None]:
    for service in played.services.values():
        service.asked.clear()
    yield
    refusals = played.refusals()
    for service in played.services.values():
        service.refusals.clear()
    assert not refusals, refusals[0]


# ---- free-form and grouped tools ------------------------------------------------------------------------------------


@STREAMS
@pytest.mark.parametrize("place", ["tools", "input"])
@pytest.mark.parametrize("provider", ["openai-chat", "anthropic", "gemini"])
def test_free_form_and_grouped_tools_come_back_as_the_client_knows_them(
    played: Stage, provider: str, place: str, stream: bool
) -> None:
    """Codex offers some models their tools in an item of the input."""
    service = played.services[provider]
    tools = [PATCH_TOOL, FILES]
    with openai.OpenAI(base_url=f"{played.address}/v1", api_key="k", max_retries=0, timeout=10) as sdk:
        asked: dict[str, Any] = {"model": MODELS[provider], **STATELESS}
        said: list[Any] = [{"role": "user", "content": scene.ASK}]
        if place == "tools":
            asked["tools"] = tools
        else:
            said.insert(0, {"type": "additional_tools", "id": "at_1", "role": "developer", "tools": tools})
        if provider == "openai-chat":
            del asked["reasoning"]
        _will_call(service, stream)
        first = _respond(sdk, stream, input=said, **asked)
        patch = next(item for item in first.output if item.type == "custom_tool_call")
        opened = next(item for item in first.output if item.type == "function_call")
        assert (patch.name, patch.input) == ("apply_patch", PATCH)
        assert (opened.namespace, opened.name, opened.arguments.replace(" ", "")) == (
            "files",
            "open",
            scene.written(OPEN_ARGUMENTS).replace(" ", ""),
        )
        results = [
            {"type": "custom_tool_call_output", "call_id": patch.call_id, "output": "Done! ✔"},
            {"type": "function_call_output", "call_id": opened.call_id, "output": "alt"},
        ]
        back = [item.model_dump(exclude_none=True) for item in first.output]
        second = _respond(sdk, stream, input=[*said, *back, *results], **asked)
        assert second.output_text == scene.FINAL
    told = service.told(service.bodies[1])
    assert [call[1:] for call in told.calls] == [("apply_patch", {"input": PATCH}), ("files__open", OPEN_ARGUMENTS)]
    assert list(told.results.values()) == ["Done! ✔", "alt"]
    assert GRAMMAR in str(service.bodies[0]["tools"]).replace("\\\\", "\\")


def _respond(sdk: openai.OpenAI, stream: bool, **asked: Any) -> Any:
    if not stream:
        return sdk.responses.create(**asked)
    with sdk.responses.stream(**asked) as events:
        kinds = [event.type for event in events]
        final = events.get_final_response()
    if any(item.type == "custom_tool_call" for item in final.output):
        assert "response.custom_tool_call_input.delta" in kinds
    return final


def _will_call(service: Any, stream: bool) -> None:
    """The next answer calls the free-form tool and the grouped one, under the names that the service was offered."""
    body: dict[str, Any] = {"stream": stream, "model": MODELS[service.wire], "stream_options": {"include_usage": True}}
    match service.wire:
        case "openai-chat":
            body["tools"] = [{"type": "custom", "custom": {"name": "apply_patch"}}]
            called = [
                (f"call_p{service.number()}", "apply_patch", PATCH),
                (f"call_o{service.number()}", "files__open", scene.written(OPEN_ARGUMENTS)),
            ]
            reply: Reply = service.reply(body, "", called)
        case "anthropic":
            patch = service.tool_use(f"toolu_p{service.number()}", "apply_patch", {"input": PATCH})
            opened = service.tool_use(f"toolu_o{service.number()}", "files__open", OPEN_ARGUMENTS)
            reply = service.reply(body, [service.thought(), patch, opened])
        case _:
            parts = [
                {"functionCall": {"name": "apply_patch", "args": {"input": PATCH}, "id": f"p{service.number()}"}},
                {"functionCall": {"name": "files__open", "args": OPEN_ARGUMENTS, "id": f"o{service.number()}"}},
            ]
            reply = service.reply_to(service.signing(parts, 0), stream=stream)
    service.next.append(reply)


# ---- calls that are run here ----------------------------------------------------------------------------------------


@STREAMS
@pytest.mark.parametrize("wire", WIRES)
def test_a_client_of_any_wire_has_tools_run_for_it(played: Stage, wire: str, stream: bool) -> None:
    headers = {"x-callgate-tools": "all", "x-callgate-execution": "auto"}
    options: dict[str, Any] = {
        "openai-chat": {"tools": openai.omit, "extra_headers": headers},
        "openai-responses": {"tools": openai.omit, "extra_headers": headers},
        "anthropic": {"tools": anthropic.omit, "thinking": anthropic.omit, "extra_headers": headers},
        "gemini": {"tools": None, "headers": headers},
    }[wire]
    agent: Agent = played.agent(wire, stream=stream, model=DEMO_MODEL, **options)
    heard = agent.say("#read_file What does notes.txt say?")
    assert "buy milk" in heard.text
    assert not heard.calls and heard.finish == agent.finishes[1]
    run = [e.invocation for e in played.runtime.events if isinstance(e, InvocationChanged)][-1]
    assert (run.tool, run.state, run.decided_by) == ("read_file", "Completed", "rule")
    assert "buy milk" in agent.say("And what does notes.txt say now?").text


# ---- calls that are denied ------------------------------------------------------------------------------------------


@STREAMS
@pytest.mark.parametrize("provider", ["same", "other"])
@pytest.mark.parametrize("client", WIRES)
def test_of_two_calls_only_the_approved_one_is_seen(played: Stage, client: str, provider: str, stream: bool) -> None:
    wire = client if provider == "same" else WIRES[WIRES.index(client) - 1]
    service = played.services[wire]
    agent: Agent = played.agent(client, wire, stream=stream)
    first = agent.say(scene.ASK)
    assert [(call.name, call.arguments) for call in first.calls] == [(scene.WEATHER, scene.WEATHER_ARGUMENTS)]
    assert first.text == scene.OPENING
    assert first.finish == agent.finishes[0]
    second = agent.give({first.calls[0].id: scene.WEATHER_RESULT})
    assert (second.text, second.calls, second.finish) == (scene.FINAL, (), agent.finishes[1])
    _check_denied(service, 1)
    assert agent.say(scene.THANKS).text == scene.WELCOME
    _check_denied(service, 2)


def _check_denied(service: Service, number: int) -> None:
    """Both calls and both results are in the history of a request, in one turn."""
    told = service.told(service.bodies[number])
    assert [call[1] for call in told.calls] == [scene.WEATHER, scene.NOTE]
    weather, note = told.results.values()
    assert weather == scene.WEATHER_RESULT
    assert "Notes are private" in note and "not run" in note


@STREAMS
@pytest.mark.parametrize("client", WIRES)
def test_when_all_calls_are_denied_the_next_answer_comes_in_the_same_reply(
    tmp_path: Path, client: str, stream: bool
) -> None:
    with stage(tmp_path, '[[rules]]\nverdict = "deny"\nnote = "No."\n') as services, services.open() as denied:
        agent: Agent = denied.agent(client, client, stream=stream)
        heard: Heard = agent.say(scene.ASK)
        assert not denied.refusals(), denied.refusals()[0]
        assert heard.text == f"{scene.OPENING}\n\n{scene.FINAL}"
        assert not heard.calls and heard.finish == agent.finishes[1]
        assert (heard.tokens.input, heard.tokens.output) == (2 * scene.INPUT, 2 * scene.OUTPUT)
        assert agent.say(scene.THANKS).text == scene.WELCOME
        assert not denied.refusals(), denied.refusals()[0]
        service = denied.services[client]
        assert [len(service.told(body).calls) for body in service.bodies] == [0, 2, 2]
