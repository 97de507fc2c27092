"""What was approved is what runs, or nothing does: attacked over HTTP, through real servers and real files."""

import asyncio
import json
import sys
import threading
import tomllib
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from tests.fakes.mcp_sources import SERVERS
from tests.fakes.running import SECONDS, RunningStation, running
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider

from callgate.core.calls.invocation import Decision, Invocation, shown_hash
from callgate.core.calls.preview import DiffPreview
from callgate.core.config.settings import SourceSettings
from callgate.core.errors import UserFault
from callgate.core.events import InvocationChanged, ToolsChanged
from callgate.core.messages import Json
from callgate.core.rules.audit import Verified, verify
from callgate.core.tool import Outcome
from callgate.engine.exchange.direct_call import Caller
from callgate.runtime.build_tools import command_source
from callgate.runtime.runtime import Launch
from callgate.tools.source import Source

DEPLOY = {"name": "deploy", "description": "Deploys.", "inputSchema": {"type": "object"}}
ANNE = Caller("anne", "s1")


class Callbacks:
    """A program on this machine that answers callbacks, and notes which were called."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.called: list[str] = []


@contextmanager
def callbacks() -> Iterator[Callbacks]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            noted.called.append(self.path)
            body = b'{"content": "done"}'
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    noted = Callbacks(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield noted
    finally:
        server.shutdown()
        thread.join(SECONDS)
        server.server_close()


def launch(folder: Path, config: str = "") -> Launch:
    file = folder / "conf" / "callgate.toml"
    file.parent.mkdir()
    file.write_text(config, "utf-8")
    (folder / "work").mkdir()
    return Launch(file, 0, folder / "work", folder / "data", demo_pace_ms=0)


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[RunningStation]:
    with running(launch(tmp_path)) as running_runtime:
        yield running_runtime


def register(runtime: RunningStation, url: str) -> None:
    assert httpx.post(f"{runtime.address}/v1/tools", json={**DEPLOY, "callback_url": url}).status_code in (200, 201)


def unregister(runtime: RunningStation) -> None:
    assert httpx.delete(f"{runtime.address}/v1/tools/deploy").status_code in (200, 204)


def begin(runtime: RunningStation, tool: str, **arguments: Json) -> "Future[Outcome]":
    """A call that a program makes itself, as over `/mcp`."""
    work = runtime.runtime.direct.call(tool, arguments, ANNE, lambda *report: None)
    return asyncio.run_coroutine_threadsafe(work, runtime._loop)


def waiting(
    runtime: RunningStation, holds: Callable[[Invocation], bool] = lambda call: True, tool: str = ""
) -> Invocation:
    """The call that waits, once it is as it should be."""

    def found(events: list) -> Invocation | None:
        calls = [event.invocation for event in events if isinstance(event, InvocationChanged)]
        latest = next((call for call in reversed(calls) if tool in ("", call.tool)), None)
        return latest if latest is not None and latest.state == "WaitingForConfirmation" and holds(latest) else None

    return runtime.wait_for(found)


def approve(runtime: RunningStation, call: Invocation, **more: object) -> bool:
    return runtime.decide(call, replace(Decision("approve", shown=shown_hash(call)), **more))  # type: ignore[arg-type]


def deny(runtime: RunningStation, call: Invocation) -> bool:
    return runtime.decide(call, Decision("deny", shown=shown_hash(call)))


def before_it_runs(runtime: RunningStation, happens: Callable[[], Awaitable[None]]) -> None:
    """Something that happens between the first decision and the run."""

    async def once() -> None:
        runtime.runtime.direct._parts.committed = nothing
        await happens()

    async def nothing() -> None: ...

    runtime.runtime.direct._parts.committed = once


# ---- registered tools ------------------------------------------------------------------------------------------------


def test_a_replaced_callback_is_never_called_on_an_approval_of_the_old_one(tmp_path: Path) -> None:
    call = chat_stream(*call_deltas(0, "call_1", "deploy", "{}"), finish="tool_calls")
    with provider(Reply(call), Reply(chat_stream({"content": "ok"}))) as up, callbacks() as program:
        upstream = f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nmodels = ["m"]\n'
        with running(launch(tmp_path, upstream)) as runtime:
            register(runtime, f"{program.address}/safe")
            body = {
                "model": "m",
                "messages": [{"role": "user", "content": "go"}],
                "use_tools": True,
                "tool_execution": "auto",
            }
            answers: list[httpx.Response] = []
            asking = threading.Thread(
                target=lambda: answers.append(
                    httpx.post(f"{runtime.address}/v1/chat/completions", json=body, timeout=SECONDS)
                )
            )
            asking.start()
            safe = waiting(runtime)
            assert any(line.endswith("/safe") for line in safe.executor_lines)
            unregister(runtime)
            register(runtime, f"{program.address}/evil")
            changed = waiting(runtime, lambda one: one.change is not None and not one.change.gone)
            assert not approve(runtime, safe), "it was decided on what is not there any more"
            assert changed.change is not None and "while the call was waiting" in changed.change.words
            assert any(line.endswith("/safe") for line in changed.change.before)
            assert any(line.endswith("/evil") for line in changed.change.after)
            assert any("/evil" in one.words for one in changed.change.definition)
            assert deny(runtime, waiting(runtime))
            asking.join(SECONDS)
            assert answers[0].status_code == 200
    assert program.called == []


def test_a_tool_replaced_right_after_the_decision_asks_again_and_the_audit_says_so(runtime: RunningStation) -> None:
    with callbacks() as program:
        register(runtime, f"{program.address}/safe")

        async def swap() -> None:
            await asyncio.to_thread(unregister, runtime)
            await asyncio.to_thread(register, runtime, f"{program.address}/evil")

        before_it_runs(runtime, swap)
        ended = begin(runtime, "deploy")
        safe = waiting(runtime)
        assert approve(runtime, safe)
        again = waiting(runtime, lambda one: bool(one.voided))
        assert program.called == []
        assert again.change is not None and again.change.since == "decided"
        assert again.decided_by is None and again.voided[0].by == "person"
        assert any(line.endswith("/evil") for line in again.executor_lines)
        assert not approve(runtime, safe)
        assert approve(runtime, again), "what is shown now can be approved"
        assert not ended.result(SECONDS).is_error
        assert program.called == ["/evil"]
        entries = runtime.call(runtime.runtime.journal.audit())
    assert [entry.stage for entry in reversed(entries)] == ["call", "void", "call 2"]
    assert {entries[2].executor, entries[0].executor} == {safe.executor, again.executor}
    assert "allowed" in entries[1].explanation
    assert isinstance(verify(tuple(reversed(entries))), Verified)


def test_a_tool_that_is_removed_while_its_call_waits_can_be_denied_but_not_approved(runtime: RunningStation) -> None:
    with callbacks() as program:
        register(runtime, f"{program.address}/safe")
        ended = begin(runtime, "deploy")
        waiting(runtime)
        unregister(runtime)
        gone = waiting(runtime, lambda one: one.is_gone)
        with pytest.raises(UserFault, match="was removed"):
            approve(runtime, gone)
        assert deny(runtime, gone)
        assert ended.result(SECONDS).is_error
        assert program.called == []


def test_a_tool_that_is_put_back_as_it_was_can_be_approved(runtime: RunningStation) -> None:
    with callbacks() as program:
        register(runtime, f"{program.address}/safe")
        ended = begin(runtime, "deploy")
        first = waiting(runtime)
        unregister(runtime)
        waiting(runtime, lambda one: one.is_gone)
        register(runtime, f"{program.address}/safe")
        assert waiting(runtime, lambda one: one.change is None).binding == first.binding
        assert approve(runtime, first)
        assert not ended.result(SECONDS).is_error
        assert program.called == ["/safe"]


def test_a_tool_removed_right_after_the_decision_runs_nothing(runtime: RunningStation) -> None:
    with callbacks() as program:
        register(runtime, f"{program.address}/safe")
        before_it_runs(runtime, lambda: asyncio.to_thread(unregister, runtime))
        ended = begin(runtime, "deploy")
        assert approve(runtime, waiting(runtime))
        assert "no tool named" in str(ended.result(SECONDS).parts)
        assert program.called == []


def test_another_source_that_takes_over_the_name_is_asked_about(tmp_path: Path) -> None:
    """The registered tool leaves, and a command of the same name, until then renamed, gets the plain name."""
    made = tmp_path / "work" / "made"
    source = (
        '[[sources]]\nname = "mine"\nkind = "command"\n[[sources.tools]]\nname = "deploy"\n'
        f'argv = ["touch", "{made}"]\n'
    )
    with callbacks() as program, running(launch(tmp_path)) as runtime:
        register(runtime, f"{program.address}/safe")
        ended = begin(runtime, "deploy")
        first = waiting(runtime)
        runtime.do(lambda: runtime.runtime.catalog.add(_commands(runtime, source)))
        unregister(runtime)
        taken = waiting(runtime, lambda one: one.source == "mine")
        assert not approve(runtime, first)
        assert taken.change is not None and any("touch" in line for line in taken.change.after)
        assert deny(runtime, taken)
        ended.result(SECONDS)
    assert not made.exists()


def _commands(runtime: RunningStation, text: str) -> Source:
    settings = SourceSettings.model_validate(tomllib.loads(text)["sources"][0])
    root = runtime.runtime
    return command_source(settings, root.settings, root.workspace, root.launch.data_folder)


# ---- MCP servers -----------------------------------------------------------------------------------------------------


@contextmanager
def changing(tmp_path: Path, rules: str = "") -> Iterator[tuple[RunningStation, Path]]:
    notes = tmp_path / "notes"
    config = (
        f'[[sources]]\nname = "srv"\nkind = "mcp"\n'
        f'command = ["{sys.executable}", "{SERVERS / "changing.py"}", "{notes}"]\n'
        f'[[rules]]\nverdict = "allow"\ntool = "change"\n{rules}'
    )
    with running(launch(tmp_path, config)) as runtime:
        runtime.wait_for(lambda events: next((event for event in events if _lists(event, "act")), None), 30)
        yield runtime, notes


def _lists(event: object, name: str) -> bool:
    return isinstance(event, ToolsChanged) and any(tool.name == name for tool in event.tools)


async def _change(runtime: RunningStation) -> None:
    await runtime.runtime.direct.call("change", {}, ANNE, lambda *report: None)


def test_a_server_that_changes_its_tool_while_the_call_waits_is_asked_about_again(tmp_path: Path) -> None:
    with changing(tmp_path) as (runtime, notes):
        ended = begin(runtime, "act", text="x")
        tidy = waiting(runtime, tool="act")
        assert any("changing 1.0" in line for line in tidy.executor_lines)
        runtime.call(_change(runtime))
        wild = waiting(runtime, lambda one: one.change is not None, tool="act")
        assert not approve(runtime, tidy)
        assert wild.change is not None and [one.path for one in wild.change.definition] == ["description"]
        assert deny(runtime, wild)
        assert ended.result(SECONDS).is_error
        assert not notes.exists()


def test_a_change_that_was_announced_and_not_listed_yet_stops_an_approved_call(tmp_path: Path) -> None:
    with changing(tmp_path) as (runtime, notes):
        before_it_runs(runtime, lambda: _change(runtime))
        begin(runtime, "act", text="x")
        assert approve(runtime, waiting(runtime, tool="act"))
        again = waiting(runtime, lambda one: bool(one.voided), tool="act")
        assert again.change is not None and again.change.definition
        assert not notes.exists()
        assert deny(runtime, again)


def test_a_rule_that_allows_every_definition_is_asked_anew_and_one_bound_to_the_old_no_longer_counts(
    tmp_path: Path,
) -> None:
    with changing(tmp_path, '[[rules]]\nverdict = "allow"\ntool = "act"\nwhen = "args.text=free"\n') as (
        runtime,
        notes,
    ):
        before_it_runs(runtime, lambda: _change(runtime))
        begin(runtime, "act", text="free").result(SECONDS)
        states = [
            event.invocation for event in runtime.events if isinstance(event, InvocationChanged)
            and event.invocation.tool == "act"
        ]  # fmt: skip
        assert notes.read_text("utf-8") == "act 2\n"
        assert "WaitingForConfirmation" not in {call.state for call in states}
        assert states[-1].voided[0].by == "rule"
        # a grant of the person, for the definition of this moment
        ended = begin(runtime, "act", text="mine")
        assert approve(runtime, waiting(runtime, tool="act"), scope="session")
        ended.result(SECONDS)
        before_it_runs(runtime, lambda: _change(runtime))
        ended = begin(runtime, "act", text="mine")
        again = waiting(runtime, lambda one: bool(one.voided), tool="act")
        assert notes.read_text("utf-8") == "act 2\nact 2\n"
        assert deny(runtime, again)
        ended.result(SECONDS)


def test_a_server_that_comes_back_as_another_version_is_asked_about_again(tmp_path: Path) -> None:
    with changing(tmp_path) as (runtime, notes):
        ended = begin(runtime, "act", text="x")
        first = waiting(runtime, tool="act")
        notes.with_suffix(".version").write_text("6.6.6", "utf-8")
        (server,) = runtime.runtime.mcp_sources
        runtime.do(server.restart)
        other = waiting(runtime, lambda one: any("6.6.6" in line for line in one.executor_lines), tool="act")
        assert other.change is not None and not other.change.definition
        assert not approve(runtime, first)
        assert deny(runtime, other)
        ended.result(SECONDS)
        assert not notes.exists()


# ---- files -----------------------------------------------------------------------------------------------------------


def test_a_file_that_changed_after_its_preview_is_shown_again_before_it_is_written(
    runtime: RunningStation, tmp_path: Path
) -> None:
    file = tmp_path / "work" / "notes.txt"
    file.write_text("buy milk\n", "utf-8")
    ended = begin(runtime, "write_file", path="notes.txt", content="empty\n")
    first = waiting(runtime)
    file.write_text("buy milk\nthe combination is 1234\n", "utf-8")
    assert approve(runtime, first)
    again = waiting(runtime, lambda one: bool(one.voided))
    assert file.read_text("utf-8") == "buy milk\nthe combination is 1234\n"
    assert isinstance(again.preview, DiffPreview) and "1234" in again.preview.before
    assert again.change is not None and again.change.file == "notes.txt"
    assert not approve(runtime, first)
    assert approve(runtime, again)
    assert not ended.result(SECONDS).is_error
    assert file.read_text("utf-8") == "empty\n"


def test_a_rule_that_allows_a_write_does_not_care_what_the_file_held(tmp_path: Path) -> None:
    with running(launch(tmp_path, '[[rules]]\nverdict = "allow"\ntool = "write_file"\n')) as runtime:
        assert not begin(runtime, "write_file", path="x.txt", content="1").result(SECONDS).is_error
        assert not begin(runtime, "write_file", path="x.txt", content="2").result(SECONDS).is_error
    assert (tmp_path / "work" / "x.txt").read_text("utf-8") == "2"


def test_arguments_edited_to_another_file_are_previewed_and_asked_again(
    runtime: RunningStation, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / "work" / name).write_text(f"old {name}\n", "utf-8")
    ended = begin(runtime, "write_file", path="a.txt", content="new\n")
    first = waiting(runtime)
    other = json.dumps({"path": "b.txt", "content": "new\n"})
    assert approve(runtime, first, arguments=other)
    again = waiting(runtime, lambda one: one.change is not None)
    assert isinstance(again.preview, DiffPreview) and again.preview.before == "old b.txt\n"
    assert again.effective_arguments == other
    assert approve(runtime, again)
    assert not ended.result(SECONDS).is_error
    assert (tmp_path / "work" / "a.txt").read_text("utf-8") == "old a.txt\n"
    assert (tmp_path / "work" / "b.txt").read_text("utf-8") == "new\n"


def test_edited_content_for_the_same_file_runs_at_once_with_the_preview_of_what_runs(
    runtime: RunningStation, tmp_path: Path
) -> None:
    (tmp_path / "work" / "a.txt").write_text("old\n", "utf-8")
    ended = begin(runtime, "write_file", path="a.txt", content="new\n")
    first = waiting(runtime)
    assert approve(runtime, first, arguments=json.dumps({"path": "a.txt", "content": "edited\n"}))
    assert not ended.result(SECONDS).is_error
    done = runtime.wait_for_state("Completed")
    assert isinstance(done.preview, DiffPreview) and done.preview.after == "edited\n"
    assert done.voided == ()
    assert (tmp_path / "work" / "a.txt").read_text("utf-8") == "edited\n"


# ---- tools that clients bring along ----------------------------------------------------------------------------------


def _brought(description: str) -> dict:
    return {
        "type": "function",
        "function": {"name": "run", "description": description, "parameters": {"type": "object"}},
    }


def test_a_client_tool_that_changes_in_mid_conversation_is_not_allowed_by_the_old_grant(tmp_path: Path) -> None:
    def call(number: int) -> Reply:
        return Reply(chat_stream(*call_deltas(0, f"call_{number}", "run", "{}"), finish="tool_calls"))

    with provider(call(1), call(2), call(3)) as up:
        upstream = f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nmodels = ["m"]\n'
        with running(launch(tmp_path, upstream)) as runtime:
            messages: list[dict] = [{"role": "user", "content": "go"}]

            def ask(description: str) -> "Future[httpx.Response]":
                body = {"model": "m", "messages": list(messages), "tools": [_brought(description)]}
                answer: Future[httpx.Response] = Future()
                address = f"{runtime.address}/v1/chat/completions"
                threading.Thread(
                    target=lambda: answer.set_result(httpx.post(address, json=body, timeout=SECONDS))
                ).start()
                return answer

            asked = ask("Lists files.")
            first = waiting(runtime)
            assert first.change is None
            assert approve(runtime, first, scope="session")
            said = asked.result(SECONDS).json()["choices"][0]["message"]
            messages += [said, {"role": "tool", "tool_call_id": "call_1", "content": "a b"}]
            asked = ask("Deletes files.")
            second = waiting(runtime, lambda one: one.id != first.id)
            assert second.conversation_id == first.conversation_id
            assert second.change is not None and second.change.since == "conversation"
            assert [one.path for one in second.change.definition] == ["description"]
            assert approve(runtime, second)
            said = asked.result(SECONDS).json()["choices"][0]["message"]
            messages += [said, {"role": "tool", "tool_call_id": "call_2", "content": "none"}]
            asked = ask("Deletes files.")
            third = waiting(runtime, lambda one: one.id not in (first.id, second.id))
            assert third.change is None, "a person has approved this definition in the meantime"
            assert deny(runtime, third)
