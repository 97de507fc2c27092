import json
from pathlib import Path

from tests.fakes.on_loop import on_loop

from callgate.core.config.settings import SourceSettings
from callgate.engine.sources.source_drafts import SourceDrafts

HERE = SourceSettings(name="here", kind="mcp", command=("x",))


def drafts(workspace: Path) -> SourceDrafts:
    return SourceDrafts(workspace, lambda: (HERE,), lambda: frozenset({"here", "built-in"}))


def test_names_that_are_taken_unfit_or_reserved_are_said(tmp_path: Path) -> None:
    here = drafts(tmp_path)
    for name, said in (("here", "already"), ("built-in", "already"), ("a b", "letters"), ("client", "agents")):
        assert said in here.draft(HERE.model_copy(update={"name": name})).problem
    assert here.draft(HERE, "here").problem == ""


def test_what_happens_to_secrets_and_inputs_is_said_before(tmp_path: Path) -> None:
    found = drafts(tmp_path).recognise(
        '{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "1", "B": "${input:b}"}}}}'
    )
    (draft,) = found.drafts
    assert draft.notes == ("Goes into the keyring, not into a file: API_KEY", "Will be asked for: b")


def test_a_secret_of_a_command_tool_is_refused_as_there_is_nowhere_to_keep_it(tmp_path: Path) -> None:
    mine = {"name": "mine", "kind": "command", "tools": [{"name": "a", "argv": ["x"], "env": {"API_KEY": "1"}}]}
    assert "API_KEY looks like a secret" in drafts(tmp_path).draft(SourceSettings.model_validate(mine)).problem


def test_what_was_left_out_of_an_entry_stands_with_it_and_the_rest_apart(tmp_path: Path) -> None:
    text = '{"mcpServers": {"a": {"command": "x", "autoApprove": ["y"]}, "b": {"args": ["z"]}}}'
    found = drafts(tmp_path).recognise(text)
    assert "Callgate's own rules" in found.drafts[0].notes[0]
    assert found.problems == ("line 1: b: left out: 'args' without 'command'",)


@on_loop
async def test_files_of_others_are_held_against_what_is_here(tmp_path: Path) -> None:
    servers = {"same": {"command": "x"}, "here": {"command": "y"}, "new": {"command": "z"}}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
    (file,) = await drafts(tmp_path).found()
    assert file.program == "Claude Code, this workspace"
    assert [(draft.settings.name, draft.problem) for draft in file.drafts] == [
        ("same", "It is here already, as here."),
        ("here-2", ""),
        ("new", ""),
    ]
