"""Tools that OpenAI Responses itself defines and the application runs: nothing of them runs that was not shown.

The official package is the application; the service checks every history that it is sent.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from tests.fakes.providers import openai_responses_built_in as built_in
from tests.fakes.providers import scene
from tests.fakes.providers.openai_responses import OpenAIResponsesService
from tests.fakes.providers.service import Reply
from tests.fakes.sdks.openai_responses import TOOLS
from tests.fakes.translating import MODELS, Stage, stage

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.calls.previews import previews_of
from callgate.core.events import Event, InvocationChanged

WIRE = "openai-responses"
ASKING = '[gate]\nclient_tools = "ask"\n'
TERMINAL = ASKING + '[[rules]]\nverdict = "allow"\ntool = "*shell"\nwhen = "command:\'ls *\'"\n'
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
OFFERED: list[Any] = [*TOOLS, *({"type": name} for name in ("local_shell", "shell", "apply_patch"))]
STATELESS: dict[str, Any] = {"store": False, "include": ["reasoning.encrypted_content"]}


class Application:
    """Keeps its own history, and sends every item back as it was given."""

    def __init__(self, opened: Stage, stream: bool) -> None:
        self.sdk = opened.keep(
            openai.OpenAI(base_url=f"{opened.address}/v1", api_key="sk-of-the-client", max_retries=0, timeout=10)
        )
        self._stream = stream
        self.history: list[Any] = []

    def say(self, *items: Any) -> Any:
        self.history += items
        asked = {"model": MODELS[WIRE], "input": self.history, "tools": OFFERED, **STATELESS}
        if self._stream:
            with self.sdk.responses.stream(**asked) as events:
                done = [event.item.id for event in events if event.type == "response.output_item.done"]
                response = events.get_final_response()
            assert done == [item.id for item in response.output], "what was streamed is what was told at the end"
        else:
            response = self.sdk.responses.create(**asked)
        self.history += [item.model_dump(exclude_unset=True) for item in response.output]
        return response


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def will_say(service: Any, stream: bool, *calls: dict[str, Any]) -> Reply:
    body: dict[str, Any] = {"stream": stream, "model": MODELS[WIRE], "input": scene.ASK, **STATELESS}
    reply: Reply = service.reply(body, [service.thought(body), service.message(scene.OPENING), *calls])
    service.next.append(reply)
    return reply


def waiting(opened: Stage, count: int) -> dict[str, Invocation]:
    def found(events: list[Event]) -> dict[str, Invocation] | None:
        asked = [e.invocation for e in events if isinstance(e, InvocationChanged)]
        named = {i.tool: i for i in asked if i.state == "WaitingForConfirmation"}
        return named if len(named) == count else None

    return opened.runtime.wait_for(found)


def decided(opened: Stage, ask: Callable[[], Any], decisions: dict[str, Decision]) -> tuple[Any, dict[str, Invocation]]:
    """What the application hears after each call was decided, and the calls as they were shown."""
    heard: list[Any] = []
    asking = threading.Thread(target=lambda: heard.append(ask()))
    asking.start()
    shown = waiting(opened, len(decisions))
    for tool, decision in decisions.items():
        assert opened.runtime.decide(shown[tool], decision)
    asking.join(10)
    assert heard, opened.refusals()
    return heard[0], shown


def kinds(items: list[Any]) -> list[str]:
    return [item.get("type", "message") for item in items]


def service_of(opened: Stage) -> OpenAIResponsesService:
    service = opened.services[WIRE]
    assert isinstance(service, OpenAIResponsesService)
    return service


@STREAMS
def test_the_application_gets_the_approved_items_only_and_the_history_stays_whole(tmp_path: Path, stream: bool) -> None:
    listing, change = built_in.local_shell(1, "ls", "-la"), built_in.patch(2, "a.py", "@@\n-one\n+two\n")
    with stage(tmp_path, ASKING) as services:
        service = service_of(services)
        note = service.function_call("call_note", scene.NOTE, scene.written(scene.NOTE_ARGUMENTS))
        with services.open() as opened:
            application = Application(opened, stream)
            will_say(service, stream, listing, change, note)
            answers = {
                "local_shell": Decision("approve"),
                "apply_patch": Decision("deny", reason="Leave a.py alone"),
                scene.NOTE: Decision("approve"),
            }
            first, shown = decided(opened, lambda: application.say(user(scene.ASK)), answers)
            given = [item.model_dump(exclude_unset=True) for item in first.output]
            assert kinds(given) == ["reasoning", "message", "local_shell_call", "function_call"]
            assert given[2] == listing, "word for word, ids too"
            assert shown["local_shell"].arguments == (
                '{"type":"exec","command":["ls","-la"],"env":{},"working_directory":"/work"}'
            )
            (seen,) = previews_of(shown["local_shell"])
            assert seen.kind == "command" and seen.command == "ls -la"
            (diff,) = previews_of(shown["apply_patch"])
            assert diff.kind == "diff" and (diff.path, diff.before, diff.after) == ("a.py", "one", "two")
        with services.open() as opened:
            told = {"type": "local_shell_call_output", "id": listing["call_id"], "output": "a.py"}
            noted = {"type": "function_call_output", "call_id": "call_note", "output": "noted"}
            assert application.say(told, noted).output_text == scene.FINAL
            assert application.say(user(scene.THANKS)).output_text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]
        for body in service.bodies[1:]:
            items = body["input"]
            assert [item for item in items if item.get("type") == "local_shell_call"] == [listing]
            assert [item for item in items if item.get("type") == "apply_patch_call"] == [change]
            assert told in items
            (refused,) = (item for item in items if item.get("type") == "apply_patch_call_output")
            assert (refused["call_id"], refused["status"]) == (change["call_id"], "failed")
            assert "Leave a.py alone" in refused["output"] and "not run" in refused["output"]


@STREAMS
def test_a_denied_shell_never_reaches_the_application_and_the_answer_follows(tmp_path: Path, stream: bool) -> None:
    removal = built_in.shell(1, "rm -rf build", "ls")
    with stage(tmp_path, ASKING) as services, services.open() as opened:
        service = service_of(services)
        application = Application(opened, stream)
        will_say(service, stream, removal)
        heard, shown = decided(
            opened, lambda: application.say(user(scene.ASK)), {"shell": Decision("deny", reason="Keep it")}
        )
        assert heard.output_text == f"{scene.OPENING}\n\n{scene.FINAL}"
        assert "shell_call" not in kinds(application.history)
        assert [preview.command for preview in previews_of(shown["shell"]) if preview.kind == "command"] == [
            "rm -rf build",
            "ls",
        ]
        call, output = service.bodies[1]["input"][-2:]
        assert call == removal
        assert (output["call_id"], output["output"][0]["outcome"]["exit_code"]) == (removal["call_id"], 1)
        assert "Keep it" in output["output"][0]["stderr"]
        assert application.say(user(scene.THANKS)).output_text == scene.WELCOME
        assert kinds(service.bodies[2]["input"]).count("shell_call_output") == 1, "the hidden turn is told again"
        assert not services.refusals(), services.refusals()[0]


@STREAMS
def test_an_answer_for_the_tool_is_told_as_its_output(tmp_path: Path, stream: bool) -> None:
    with stage(tmp_path, ASKING) as services, services.open() as opened:
        service = service_of(services)
        application = Application(opened, stream)
        will_say(service, stream, built_in.local_shell(1, "whoami"))
        decided(opened, lambda: application.say(user(scene.ASK)), {"local_shell": Decision("answer", result="nobody")})
        output = service.bodies[1]["input"][-1]
        assert (output["type"], output["output"]) == ("local_shell_call_output", "nobody")
        assert not services.refusals(), services.refusals()[0]


@STREAMS
def test_an_edited_command_is_what_the_application_runs_and_what_the_model_is_told(
    tmp_path: Path, stream: bool
) -> None:
    asked = built_in.local_shell(1, "rm", "-rf", "/work")
    edited = '{"type":"exec","command":["ls","/work"],"env":{}}'
    with stage(tmp_path, ASKING) as services, services.open() as opened:
        service = service_of(services)
        application = Application(opened, stream)
        will_say(service, stream, asked)
        heard, _ = decided(
            opened, lambda: application.say(user(scene.ASK)), {"local_shell": Decision("approve", arguments=edited)}
        )
        (call,) = (item.model_dump(exclude_unset=True) for item in heard.output if item.type == "local_shell_call")
        changed = {**asked, "action": {"type": "exec", "command": ["ls", "/work"], "env": {}}}
        assert call == changed
        application.say({"type": "local_shell_call_output", "id": asked["call_id"], "output": "a.py"})
        assert changed in service.bodies[1]["input"]
        assert not services.refusals(), services.refusals()[0]


@STREAMS
def test_a_refused_click_is_told_in_words_because_only_a_picture_could_answer_it(tmp_path: Path, stream: bool) -> None:
    with stage(tmp_path, ASKING) as services, services.open() as opened:
        service = service_of(services)
        application = Application(opened, stream)
        will_say(service, stream, built_in.computer(1))
        heard, shown = decided(
            opened, lambda: application.say(user(scene.ASK)), {"computer": Decision("deny", reason="No clicking")}
        )
        assert shown["computer"].arguments == '{"action":{"type":"click","button":"left","x":3,"y":4}}'
        assert heard.output_text.startswith(scene.OPENING) and "No clicking" in heard.output_text
        assert "computer_call" not in kinds(application.history)
        assert len(service.bodies) == 1, "the model can't be asked again"
        assert application.say(user(scene.THANKS)).output_text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]


@STREAMS
def test_a_click_that_is_refused_after_an_earlier_refusal_leaves_no_open_call_behind(
    tmp_path: Path, stream: bool
) -> None:
    with stage(tmp_path, ASKING) as services, services.open() as opened:
        service = service_of(services)
        application = Application(opened, stream)
        will_say(service, stream, built_in.shell(1, "ls"))
        will_say(service, stream, built_in.computer(2))
        heard: list[Any] = []
        asking = threading.Thread(target=lambda: heard.append(application.say(user(scene.ASK))))
        asking.start()
        for tool in ("shell", "computer"):
            asked = opened.runtime.wait_for_state("WaitingForConfirmation", tool)
            assert opened.runtime.decide(asked, Decision("deny", reason=f"no {tool}"))
        asking.join(10)
        assert "no computer" in heard[0].output_text
        assert application.say(user(scene.THANKS)).output_text == scene.WELCOME
        assert "computer_call" not in kinds(service.bodies[2]["input"])
        assert "shell_call_output" in kinds(service.bodies[2]["input"])
        assert not services.refusals(), services.refusals()[0]


@STREAMS
def test_what_a_terminal_rule_allows_goes_through_byte_for_byte(tmp_path: Path, stream: bool) -> None:
    with stage(tmp_path, TERMINAL) as services, services.open() as opened:
        service = service_of(services)
        calls = (built_in.local_shell(1, "ls", "-la"), built_in.shell(2, "ls /work", "ls /tmp"))
        reply = will_say(service, stream, *calls)
        body = {"model": MODELS[WIRE], "input": scene.ASK, "tools": OFFERED, "stream": stream, **STATELESS}
        answer = httpx.post(
            f"{opened.address}/v1/responses", json=body, headers={"Authorization": "Bearer sk-x"}, timeout=10
        )
        assert answer.content == reply.body


@pytest.mark.parametrize(
    "call",
    [
        built_in.shell(1, "ls /work", "rm -rf /"),
        built_in.shell(1, "ls <<EOF", "rm -rf /", "EOF"),
        {
            **built_in.local_shell(1, "ls"),
            "action": {"type": "exec", "command": ["ls", "-la"], "env": {"LD_PRELOAD": "x.so"}},
        },
    ],
    ids=["a second line", "a line that would hide the next", "variables"],
)
def test_a_terminal_rule_does_not_allow_what_it_cannot_see_through(tmp_path: Path, call: dict[str, Any]) -> None:
    with stage(tmp_path, TERMINAL) as services, services.open() as opened:
        service = service_of(services)
        application = Application(opened, stream=True)
        will_say(service, True, call)
        tool = call["type"].removesuffix("_call")
        decided(opened, lambda: application.say(user(scene.ASK)), {tool: Decision("deny")})
        assert call["type"] not in kinds(application.history)
