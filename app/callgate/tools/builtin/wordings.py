"""How the built-in tools speak of their calls to the person who decides them, by name."""

from callgate.core.wording import Wording

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
