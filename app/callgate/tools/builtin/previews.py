"""What a call would do, worked out before anybody has approved it. Reads a file at most; changes and requests nothing.

Each raises what the call itself would raise; the source turns that into "nothing to show".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import httpx

from callgate.core.calls.preview import CommandPreview, DiffPreview, UrlPreview
from callgate.core.messages import Json
from callgate.tools.builtin.definition import chosen, string
from callgate.tools.builtin.open_file import state_of
from callgate.tools.builtin.source import Prepare, ToolProblem
from callgate.tools.builtin.text_file import TextForm, edited, read_text
from callgate.tools.builtin.write_files import writable
from callgate.tools.confinement import Confinement, NotPlain

MOST_SHOWN = 1024 * 1024
"""A preview is worked out while the window waits: a larger file is shown by its arguments alone."""


def file_previews(workspace: Confinement) -> dict[str, Prepare]:
    """By name of the tool."""
    return {
        "write_file": partial(preview_write, workspace),
        "create_file": partial(preview_create, workspace),
        "edit_file": partial(preview_edit, workspace),
        "delete_file": partial(preview_delete, workspace),
    }


def preview_write(workspace: Confinement, arguments: Mapping[str, Json]) -> DiffPreview:
    now = _now(workspace, arguments)
    return DiffPreview(now.shown, now.text or "", now.form.with_newlines(string(arguments, "content")), state=now.state)


def preview_create(workspace: Confinement, arguments: Mapping[str, Json]) -> DiffPreview:
    now = _now(workspace, arguments)
    if now.text is not None:
        raise ToolProblem(f"{now.shown} exists already")
    return DiffPreview(now.shown, "", string(arguments, "content"), state=now.state)


def preview_edit(workspace: Confinement, arguments: Mapping[str, Json]) -> DiffPreview:
    now = _now(workspace, arguments)
    if now.text is None:
        raise ToolProblem(f"There is no file {now.shown!r}")
    after = edited(
        now.text,
        now.form,
        string(arguments, "old_text"),
        string(arguments, "new_text"),
        replace_all=chosen(arguments, "replace_all"),
        shown=now.shown,
    )
    return DiffPreview(now.shown, now.text, after, state=now.state)


def preview_delete(workspace: Confinement, arguments: Mapping[str, Json]) -> DiffPreview:
    now = _now(workspace, arguments)
    if now.text is None:
        raise ToolProblem(f"There is no file {now.shown!r}")
    return DiffPreview(now.shown, now.text, "", state=now.state, deletes=True)


def preview_command(arguments: Mapping[str, Json], folder: str = "") -> CommandPreview:
    """`folder`: the workspace."""
    return CommandPreview(string(arguments, "command"), folder)


def preview_url(arguments: Mapping[str, Json]) -> UrlPreview:
    url = string(arguments, "url")
    try:
        return UrlPreview("GET", url, httpx.URL(url).raw_host.decode("ascii"))
    except httpx.InvalidURL as bad:
        raise ToolProblem(f"{url!r} is not a URL: {bad}") from bad


@dataclass(frozen=True, slots=True)
class _Now:
    """A file as it is now."""

    shown: str
    text: str | None
    """None = there is no file."""
    form: TextForm
    state: str


def _now(workspace: Confinement, arguments: Mapping[str, Json]) -> _Now:
    path = writable(workspace, string(arguments, "path"))
    shown = workspace.shown(path)
    try:
        data = workspace.read_bytes(path, MOST_SHOWN + 1)
    except FileNotFoundError:
        return _Now(shown, None, TextForm(), state_of(shown, None))
    except (IsADirectoryError, NotADirectoryError, NotPlain) as other:
        raise ToolProblem(f"{shown} cannot be shown") from other
    if len(data) > MOST_SHOWN:
        raise ToolProblem(f"{shown} cannot be shown")
    text, form = read_text(data, shown)
    return _Now(shown, text, form, state_of(shown, data))
