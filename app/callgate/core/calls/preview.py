"""What a call would do, in a form that a person can judge before it runs. Values only: nothing here shows them.

A preview explains the arguments, it never stands in for them: the card shows both.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class DiffPreview:
    """A file before and after; the empty text stands for a file that does not exist."""

    path: str
    """Relative to the workspace, links resolved: the file that is really changed."""
    before: str
    after: str
    fragment: bool = False
    """True: only the part that is replaced is known, not where in the file it stands."""
    state: str = ""
    """Digest of all that the preview was made of (which file, its content); empty = nothing that could change."""
    deletes: bool = False
    """The file itself goes, not only what it holds."""
    kind: Literal["diff"] = "diff"


@dataclass(frozen=True, slots=True)
class CommandPreview:
    """A command line, exactly as the shell gets it."""

    command: str
    folder: str = ""
    """The workspace that it runs in; empty = unknown."""
    kind: Literal["command"] = "command"


@dataclass(frozen=True, slots=True)
class UrlPreview:
    """A request to the outside."""

    method: str
    url: str
    host: str
    """As it is looked up: internationalised names in their ASCII form, so that look-alikes show."""
    kind: Literal["url"] = "url"


Preview = DiffPreview | CommandPreview | UrlPreview


def state_of(preview: Preview | None) -> str:
    """What it was made of; empty = nothing that could change."""
    return preview.state if isinstance(preview, DiffPreview) else ""
