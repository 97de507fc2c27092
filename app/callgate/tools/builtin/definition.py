"""How built-in tools are defined: schemas in few words, and arguments read back by name.

Arguments have been checked against the schema before a tool sees them, so reading one never fails.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from callgate.core.calls.wording import Wording
from callgate.core.messages import Json
from callgate.core.tool import Annotations, Schema, Tool, is_confined
from callgate.tools.builtin.source import SOURCE_NAME, AsyncRun, BuiltinTool, Prepare, Run, StateRun

# How the built-in tools speak of their calls to the person who decides them, by name.
_OWN_RIGHTS = "It runs with your own rights: beyond the workspace too, and on the network."
_STRANGERS_WORDS = (
    "What a page says was written by somebody else. It may try to give the model orders: look at it before it goes on."
)

WORDINGS = {
    "read_file": Wording("Read {path}?", "", "Reading {path}", "Read {path}"),
    "list_directory": Wording("List {path}?", "", "Listing {path}", "Listed {path}"),
    "find_files": Wording("Find files?", "Files that fit {pattern}.", "Finding {pattern}", "Found files for {pattern}"),
    "search_text": Wording("Search the files?", "Lines with {query}.", "Searching {query}", "Searched {query}"),
    "write_file": Wording("Write {path}?", "The file {path} gets new content.", "Writing {path}", "Wrote {path}"),
    "create_file": Wording("Create {path}?", "A new file {path}.", "Creating {path}", "Created {path}"),
    "edit_file": Wording("Edit {path}?", "A passage of {path} is replaced.", "Editing {path}", "Edited {path}"),
    "delete_file": Wording(
        "Delete {path}?", "{path} is deleted; it can be undone for a while.", "Deleting {path}", "Deleted {path}"
    ),
    "create_directory": Wording("Create the folder {path}?", "", "Creating {path}", "Created {path}"),
    "move_file": Wording("Move {path}?", "{path} becomes {new_path}.", "Moving {path}", "Moved {path} to {new_path}"),
    "undo_file_change": Wording("Undo the last change of {path}?", "", "Undoing a change", "Undid a change of {path}"),
    "run_command": Wording("Run a command?", "", "Running {command}", "Ran {command}", disclaimer=_OWN_RIGHTS),
    "list_jobs": Wording("List the background jobs?", "", "Listing jobs", "Listed jobs"),
    "read_job_output": Wording(
        "Read what {job_id} has printed?", "", "Reading {job_id}", "Read the output of {job_id}"
    ),
    "kill_job": Wording(
        "End {job_id}?", "The command and all that it started are ended.", "Ending {job_id}", "Ended {job_id}"
    ),
    "fetch_url": Wording(
        "Fetch {url}?",
        "The page at {url} is read and goes to the model.",
        "Fetching {url}",
        "Fetched {url}",
        disclaimer=_STRANGERS_WORDS,
        review_result=True,
    ),
    "workspace_tree": Wording("Show the tree of files?", "", "Looking at the files", "Looked at the files"),
    "git_status": Wording("Ask git for its status?", "", "Asking git", "Looked at git's status"),
    "git_diff": Wording("Ask git what has changed?", "", "Asking git", "Looked at git's differences"),
    "git_log": Wording("Ask git for its log?", "", "Asking git", "Looked at git's log"),
    "find_definition": Wording("Find a definition in {path}?", "", "Looking in {path}", "Found where it is defined"),
    "find_references": Wording("Find references in {path}?", "", "Looking in {path}", "Found where it is used"),
    "list_symbols": Wording("List the symbols of {path}?", "", "Reading {path}", "Listed the symbols of {path}"),
    "hover": Wording("Explain a name in {path}?", "", "Looking in {path}", "Explained a name in {path}"),
    "check_file": Wording("Check {path} for problems?", "", "Checking {path}", "Checked {path}"),
    "check_workspace": Wording(
        "Check the workspace for problems?", "", "Checking the workspace", "Checked the workspace"
    ),
}


READS = Annotations(read_only=True, destructive=False, idempotent=True, open_world=False)


def define(
    run: Run | AsyncRun,
    name: str,
    title: str,
    description: str,
    properties: Mapping[str, Json],
    *,
    required: tuple[str, ...] = (),
    tags: tuple[str, ...],
    annotations: Annotations = READS,
    prepare: Prepare | None = None,
    run_previewed: StateRun | None = None,
    wall: str = "",
    undoable: bool = False,
) -> BuiltinTool:
    schema: Schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    tool = Tool(
        name,
        SOURCE_NAME,
        description,
        schema,
        title=title,
        tags=tags,
        annotations=annotations,
        wording=_wording(name, wall),
        wall=wall,
        undoable=undoable,
    )
    return BuiltinTool(tool, run, prepare, run_previewed)


def _wording(name: str, wall: str) -> Wording:
    wording = WORDINGS.get(name, Wording())
    # "with your own rights" is not true behind a wall, and the wall has a line of its own
    return replace(wording, disclaimer="") if is_confined(wall) else wording


def text(description: str, default: str | None = None) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "string", "description": description}
    return schema if default is None else {**schema, "default": default}


def count(description: str, default: int | None = None, most: int | None = None) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "integer", "minimum": 1, "description": description}
    if most is not None:
        schema["maximum"] = most
    return schema if default is None else {**schema, "default": default}


def flag(description: str, default: bool = False) -> dict[str, Json]:
    return {"type": "boolean", "description": description, "default": default}


def string(arguments: Mapping[str, Json], key: str, default: str = "") -> str:
    return cast(str, arguments.get(key, default))


def number(arguments: Mapping[str, Json], key: str, default: int) -> int:
    return cast(int, arguments.get(key, default))


def chosen(arguments: Mapping[str, Json], key: str) -> bool:
    return bool(arguments.get(key, False))
