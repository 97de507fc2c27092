import asyncio
import os
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from callgate.core.calls.binding import Executor
from callgate.core.calls.preview import CommandPreview
from callgate.core.config.settings import SourceSettings, ToolsSettings
from callgate.core.messages import Text
from callgate.core.tool import Outcome
from callgate.tools.catalog import Catalog
from callgate.tools.command_source import CommandSource
from callgate.tools.confinement import Confinement
from callgate.tools.process import bubblewrap, landlock
from callgate.tools.process import job as job_module
from callgate.tools.process.sandbox import Sandbox
from callgate.tools.source import CallContext

SECONDS = 10.0
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "GRACE_SECONDS", 0.2)


def tool(name: str, *argv: str, **more: object) -> dict:
    return {"name": name, "argv": list(argv), **more}


def make(tmp_path: Path, *tools: dict, environ: dict[str, str] | None = None, **more: object) -> CommandSource:
    (tmp_path / "work").mkdir(exist_ok=True)
    settings = SourceSettings.model_validate({"name": "mine", "kind": "command", "tools": list(tools), **more})
    return CommandSource(
        settings,
        Confinement(tmp_path / "work"),
        tmp_path / "commands",
        call_seconds=30,
        environ={"PATH": os.environ["PATH"], **(environ or {})},
        named=("WANTED_BY_NAME",),
    )


def run(work: Coroutine[Any, Any, Outcome]) -> Outcome:
    return asyncio.run(asyncio.wait_for(work, SECONDS))


def call(source: CommandSource, name: str, reports: list[str] | None = None, **arguments: Any) -> Outcome:
    context = CallContext(
        "call", "conv", lambda text, done, total: (reports if reports is not None else []).append(text)
    )
    found = next(tool for tool in source.tools() if tool.name == name)
    return run(source.call(found, arguments, context))


def said(outcome: Outcome) -> str:
    assert isinstance(outcome.parts[0], Text)
    return outcome.parts[0].text


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in ("Z", "X")


def test_an_argument_reaches_the_program_whole_and_no_shell_sees_it(tmp_path: Path) -> None:
    source = make(tmp_path, tool("echo", "printf", "%s|%s", "{text}", "end", schema=TEXT))
    outcome = call(source, "echo", text="$(id) `id`; touch x && echo 'a b' > y")
    assert said(outcome) == "$(id) `id`; touch x && echo 'a b' > y|end"
    assert not outcome.is_error and not list((tmp_path / "work").iterdir())


def test_the_manifest_becomes_a_tool_of_the_catalog(tmp_path: Path) -> None:
    source = make(
        tmp_path,
        tool(
            "count", "wc", "{text}", schema=TEXT, displayName="Count", toolReferenceName="lines", tags=["text"],
            modelDescription="Counts.", userDescription="For you.", when="platform == linux", timeout_seconds=2,
            annotations={"readOnlyHint": True, "idempotentHint": True}, canBeReferencedInPrompt=False,
        ),
    )  # fmt: skip
    found = Catalog([source]).tools()[0]
    assert (found.title, found.reference, found.description, found.tags) == ("Count", "lines", "Counts.", ("text",))
    assert (found.when, found.referable, found.annotations.read_only) == ("platform == linux", False, True)
    assert found.timeout_seconds is not None and found.timeout_seconds > 2
    assert found.runs == "wc '{text}'"


def test_an_approval_does_not_hold_for_another_command_line(tmp_path: Path) -> None:
    before, after = (
        make(tmp_path, tool("t", program, "{text}", schema=TEXT)).tools()[0].fingerprint for program in ("cat", "rm")
    )
    assert before != after


def test_the_person_sees_the_command_line_before_it_runs(tmp_path: Path) -> None:
    source = make(tmp_path, tool("echo", "printf", "%s", "{text}", schema=TEXT))
    assert source.preview(source.tools()[0], {"text": "a b"}) == CommandPreview("printf %s 'a b'")
    assert source.preview(source.tools()[0], {"text": "--x"}) is None


def test_a_failed_command_is_an_error_with_its_output_and_code(tmp_path: Path) -> None:
    outcome = call(make(tmp_path, tool("fail", "sh", "-c", "echo why >&2; exit 3")), "fail")
    assert outcome.is_error and said(outcome) == "why\n[exit code 3]"


def test_options_smuggled_in_an_argument_are_refused(tmp_path: Path) -> None:
    outcome = call(make(tmp_path, tool("cat", "cat", "{text}", schema=TEXT)), "cat", text="--help")
    assert outcome.is_error and "would be read as an option" in said(outcome)


def test_a_program_that_is_not_there_is_said_in_words(tmp_path: Path) -> None:
    outcome = call(make(tmp_path, tool("none", "no-such-program")), "none")
    assert outcome.is_error and "'no-such-program'" in said(outcome)
    assert not list((tmp_path / "commands").glob("*"))


def test_the_folder_stays_within_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "work" / "sub").mkdir(parents=True)
    os.symlink(tmp_path, tmp_path / "work" / "out")
    source = make(
        tmp_path,
        tool("in", "pwd"), tool("own", "pwd", cwd="."), tool("up", "pwd", cwd=".."), tool("link", "pwd", cwd="out"),
        cwd="sub",
    )  # fmt: skip
    assert said(call(source, "in")).strip() == str(tmp_path / "work" / "sub")
    assert said(call(source, "own")).strip() == str(tmp_path / "work")
    for name in ("up", "link"):
        outcome = call(source, name)
        assert outcome.is_error and "outside the workspace" in said(outcome)


def test_only_what_is_listed_or_named_of_the_environment_reaches_a_command(tmp_path: Path) -> None:
    unwanted = {"MY_TOKEN": "secret", "PLAIN_NAME": "secret", "HARMLESS": "secret too"}
    environ = {**unwanted, "LC_TIME": "C", "OTHER_TOKEN": "wanted", "WANTED_BY_NAME": "yes"}
    source = make(
        tmp_path, tool("env", "env", env={"A": "tool"}, pass_env=["OTHER_TOKEN", "ABSENT"]), environ=environ,
        env={"A": "source", "B": "source"},
    )  # fmt: skip
    lines = set(said(call(source, "env")).splitlines())
    assert {"LC_TIME=C", "WANTED_BY_NAME=yes", "OTHER_TOKEN=wanted", "A=tool", "B=source"} <= lines
    assert not any("secret" in line for line in lines)


def test_output_is_reported_while_it_runs_and_a_long_one_is_kept_in_a_file(tmp_path: Path) -> None:
    reports: list[str] = []
    source = make(tmp_path, tool("flood", "sh", "-c", "yes 0123456789 | head -c 300000"))
    text = said(call(source, "flood", reports))
    assert "0123456789" in "".join(reports)
    assert "bytes left out" in text and "the full output (300,000 bytes) is in" in text
    assert len(text) < 80_000


def test_a_command_that_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    script = "trap '' TERM; (trap '' TERM; echo $$ > pid.0; sleep 60) & sh -c 'echo $$ > pid.1; exec sleep 60' & wait"
    source = make(tmp_path, tool("hang", "sh", "-c", script, timeout_seconds=0.5))
    started = time.monotonic()
    outcome = call(source, "hang")
    assert outcome.is_error and "stopped after 0.5 seconds" in said(outcome)
    assert time.monotonic() - started < 5
    pids = [int(file.read_text("utf-8")) for file in (tmp_path / "work").glob("pid.*")]
    assert pids and not any(is_alive(pid) for pid in pids)


def test_a_cancelled_call_leaves_no_process(tmp_path: Path) -> None:
    source = make(tmp_path, tool("hang", "sh", "-c", "echo $$ > pid; exec sleep 60"))
    pid_file = tmp_path / "work" / "pid"

    async def scenario() -> Outcome:
        calling = asyncio.ensure_future(source.call(source.tools()[0], {}, CallContext("c", "c", lambda *_: None)))
        while not (pid_file.exists() and pid_file.read_text("utf-8").strip()):
            await asyncio.sleep(0.01)
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        await source.close()
        return Outcome()

    run(scenario())
    assert not is_alive(int(pid_file.read_text("utf-8")))


def test_a_private_tool_is_there_for_the_person_and_for_no_client(tmp_path: Path) -> None:
    catalog = Catalog([make(tmp_path, tool("open_one", "true"), tool("own", "true", private=True))])
    asyncio.run(asyncio.wait_for(catalog.open(), SECONDS))
    assert [found.name for found in catalog.tools()] == ["open_one", "own"]
    assert [found.name for found in (*catalog.offered(), *catalog.find(name="*"))] == ["open_one", "open_one"]


def test_another_command_line_environment_or_folder_is_another_executor(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}

    def by(source: CommandSource) -> Executor:
        return source.executor(source.tools()[0])

    plain = by(make(tmp_path, tool("say", "echo", "{text}", schema=schema)))
    assert plain == by(make(tmp_path, tool("say", "echo", "{text}", schema=schema)))
    assert "echo '{text}'" in plain.shown_lines
    others = [
        by(make(tmp_path, tool("say", "printf", "{text}", schema=schema))),
        by(make(tmp_path, tool("say", "echo", "{text}", schema=schema, env={"A": "secret"}))),
        by(make(tmp_path, tool("say", "echo", "{text}", schema=schema, cwd="sub"))),
    ]
    assert len({one.digest for one in [plain, *others]}) == 4
    assert not any("secret" in line for one in others for line in one.shown_lines)


def test_a_command_runs_in_the_sandbox_of_its_source(tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    workspace.mkdir()
    declared = [
        tool("leave", "sh", "-c", "echo x > ../outside"),
        tool("stay", "sh", "-c", "echo x > inside; exit 3"),
        tool("gone", "no-such-program"),
    ]
    settings = SourceSettings.model_validate({"name": "mine", "kind": "command", "tools": declared})
    place = Confinement(workspace)
    sandbox = Sandbox(place, ToolsSettings(), home=tmp_path)
    source = CommandSource(settings, place, tmp_path / "commands", call_seconds=30, sandbox=sandbox)
    assert source.tools()[0].wall == sandbox.fact
    assert said(call(source, "stay")) == "[exit code 3]" and (workspace / "inside").exists()
    assert "is not there; nothing was run" in said(call(source, "gone"))
    call(source, "leave")
    assert (tmp_path / "outside").exists() is not bool(sandbox.kind)


def test_a_command_is_refused_where_a_sandbox_is_required_and_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "find", lambda *_, **__: (None, bubblewrap.MISSING))
    monkeypatch.setattr(landlock, "find", lambda *_, **__: None)
    settings = SourceSettings.model_validate(
        {"name": "mine", "kind": "command", "tools": [tool("make", "touch", "made")]}
    )
    place = Confinement(tmp_path)
    sandbox = Sandbox(place, ToolsSettings(sandbox="required"))
    source = CommandSource(settings, place, tmp_path / "commands", call_seconds=30, sandbox=sandbox)
    outcome = call(source, "make")
    assert outcome.is_error and "Install the package bubblewrap" in said(outcome) and not (tmp_path / "made").exists()
