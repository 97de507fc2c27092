"""What a call would do, worked out before anybody has approved it. Reads a file at most; changes and requests nothing.

Each raises what the call itself would raise; the source turns that into "nothing to show".
"""

from collections.abc import Mapping
from functools import partial

import httpx

from callgate.core.messages import Json
from callgate.core.preview import CommandPreview, DiffPreview, UrlPreview
from callgate.tools.builtin.definition import chosen, string
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
    shown, before, form = _now(workspace, arguments)
    return DiffPreview(shown, before or "", form.with_newlines(string(arguments, "content")))


def preview_create(workspace: Confinement, arguments: Mapping[str, Json]) -> DiffPreview:
    shown, before, _ = _now(workspace, arguments)
    if before is not None:
        raise ToolProblem(f"{shown} exists already")
    return DiffPreview(shown, "", string(arguments, "content"))


def preview_edit(workspace: Confinement, arguments: Mapping[str, Json]) -> DiffPreview:
    shown, before, form = _now(workspace, arguments)
    if before is None:
        raise ToolProblem(f"There is no file {shown!r}")
    after = edited(
        before,
        form,
        string(arguments, "old_text"),
        string(arguments, "new_text"),
        replace_all=chosen(arguments, "replace_all"),
        shown=shown,
    )
    return DiffPreview(shown, before, after)


def preview_delete(workspace: Confinement, arguments: Mapping[str, Json]) -> DiffPreview:
    shown, before, _ = _now(workspace, arguments)
    if before is None:
        raise ToolProblem(f"There is no file {shown!r}")
    return DiffPreview(shown, before, "")


def preview_command(arguments: Mapping[str, Json], folder: str = "") -> CommandPreview:
    """`folder`: the workspace."""
    return CommandPreview(string(arguments, "command"), folder)


def preview_url(arguments: Mapping[str, Json]) -> UrlPreview:
    url = string(arguments, "url")
    try:
        return UrlPreview("GET", url, httpx.URL(url).raw_host.decode("ascii"))
    except httpx.InvalidURL as bad:
        raise ToolProblem(f"{url!r} is not a URL: {bad}") from bad


def _now(workspace: Confinement, arguments: Mapping[str, Json]) -> tuple[str, str | None, TextForm]:
    """How the file is shown, its text (None = there is no file) and its form."""
    path = writable(workspace, string(arguments, "path"))
    shown = workspace.shown(path)
    try:
        data = workspace.read_bytes(path, MOST_SHOWN + 1)
    except FileNotFoundError:
        return shown, None, TextForm()
    except (IsADirectoryError, NotADirectoryError, NotPlain) as other:
        raise ToolProblem(f"{shown} cannot be shown") from other
    if len(data) > MOST_SHOWN:
        raise ToolProblem(f"{shown} cannot be shown")
    text, form = read_text(data, shown)
    return shown, text, form
