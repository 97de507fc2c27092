"""The tools of the category `files`: how reading, searching, changing and undoing are offered to a model."""

from functools import partial

from callgate.core.tool import Annotations
from callgate.tools.builtin.definition import define, flag, text
from callgate.tools.builtin.previews import file_previews
from callgate.tools.builtin.read_files import read_tools
from callgate.tools.builtin.search_files import search_tools
from callgate.tools.builtin.source import BuiltinTool
from callgate.tools.builtin.undo import Undo
from callgate.tools.builtin.undo_store import UndoStore
from callgate.tools.builtin.write_files import FileWriter
from callgate.tools.confinement import Confinement

_TAGS = ("files", "write")
_ADDS = Annotations(read_only=False, destructive=False, idempotent=False, open_world=False)
_CHANGES = Annotations(read_only=False, destructive=True, idempotent=False, open_world=False)
_OVERWRITES = Annotations(read_only=False, destructive=True, idempotent=True, open_world=False)
_change = partial(define, tags=_TAGS, undoable=True)
_PATH = text("Path of the file, relative to the workspace")


def file_tools(workspace: Confinement, store: UndoStore) -> tuple[BuiltinTool, ...]:
    writer = FileWriter(workspace, store)
    return (
        *read_tools(workspace),
        *search_tools(workspace),
        *_content_tools(workspace, writer),
        *_place_tools(writer),
    )


def _content_tools(workspace: Confinement, writer: FileWriter) -> tuple[BuiltinTool, ...]:
    previews = file_previews(workspace)
    return (
        _change(
            writer.write_file,
            "write_file",
            "Write file",
            "Write a text file of the workspace, replacing all that it holds; a new file and its folders are created. "
            "The encoding and line endings of an existing file are kept.",
            {"path": _PATH, "content": text("The whole new content")},
            required=("path", "content"),
            annotations=_OVERWRITES,
            prepare=previews["write_file"],
            run_previewed=writer.write_file,
        ),
        _change(
            writer.create_file,
            "create_file",
            "Create file",
            "Create a text file in the workspace, with its folders; fails if the file exists.",
            {"path": _PATH, "content": text("The content", default="")},
            required=("path",),
            annotations=_ADDS,
            prepare=previews["create_file"],
            run_previewed=writer.create_file,
        ),
        _change(
            writer.edit_file,
            "edit_file",
            "Edit file",
            "Replace a piece of text in a file of the workspace. old_text must be found exactly once, "
            "white space included, unless replace_all is true.",
            {
                "path": _PATH,
                "old_text": text("The text to replace, exactly as it stands in the file"),
                "new_text": text("What to put in its place; empty = remove it"),
                "replace_all": flag("Replace every occurrence"),
            },
            required=("path", "old_text", "new_text"),
            annotations=_CHANGES,
            prepare=previews["edit_file"],
            run_previewed=writer.edit_file,
        ),
        _change(
            writer.delete_file,
            "delete_file",
            "Delete file",
            "Delete a file of the workspace. It is kept aside, so that undo_file_change can bring it back.",
            {"path": _PATH},
            required=("path",),
            annotations=_CHANGES,
            prepare=previews["delete_file"],
            run_previewed=writer.delete_file,
        ),
    )


def _place_tools(writer: FileWriter) -> tuple[BuiltinTool, ...]:
    undo = Undo(writer)
    return (
        _change(
            writer.create_directory,
            "create_directory",
            "Create directory",
            "Create a directory in the workspace, with those above it.",
            {"path": text("Path of the directory, relative to the workspace")},
            required=("path",),
            annotations=Annotations(read_only=False, destructive=False, idempotent=True, open_world=False),
        ),
        _change(
            writer.move_file,
            "move_file",
            "Move file",
            "Move or rename a file or directory within the workspace; fails if the new path exists.",
            {
                "path": text("Path of the file or directory, relative to the workspace"),
                "new_path": text("Its new path, with its new name"),
            },
            required=("path", "new_path"),
            annotations=_CHANGES,
        ),
        define(
            undo.undo_file_change,
            "undo_file_change",
            "Undo file change",
            "Undo the latest change made by a file tool, or the latest one of a given file. Call it again to go "
            "further back. A file that has been changed otherwise since is left alone.",
            {"path": text("Undo the latest change of this file only", default="")},
            tags=_TAGS,
            annotations=_CHANGES,
            prepare=undo.preview,
            run_previewed=undo.undo_file_change,
        ),
    )
