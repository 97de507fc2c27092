"""What a decision on a call is bound to: the definition of its tool and what executes it. Pure.

Both are taken when the call is judged or shown, and again when it is about to run. If they differ, the decision does
not count: what was approved is not what would run.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, assert_never

from callgate.core.catalog.definition_diff import Change, diff
from callgate.core.messages import Json

DIGEST_LENGTH = 32
"""Hex digits, as a tool's fingerprint has."""


@dataclass(frozen=True, slots=True)
class Executor:
    """What runs the calls of a tool: a program of ours, a command line, a callback address, an MCP server."""

    digest: str
    shown_lines: tuple[str, ...] = ()
    """The same for a person; secrets are part of the digest only."""


def executor(kind: str, shown_lines: tuple[str, ...], **facts: Json) -> Executor:
    """`facts`: everything that makes it another executor when it changes."""
    text = json.dumps({"kind": kind, "lines": shown_lines, **facts}, sort_keys=True)
    return Executor(hashlib.sha256(text.encode("ascii")).hexdigest()[:DIGEST_LENGTH], shown_lines)


@dataclass(frozen=True, slots=True)
class Binding:
    """What a decision is bound to."""

    definition: str
    """The fingerprint of the tool's definition."""
    executor: str = ""
    """The digest of what runs it; empty = not known, as for a call that was stored before this was kept."""
    shown_lines: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class BoundTool:
    """A tool with what its calls are bound to, as of now."""

    binding: Binding
    definition: Mapping[str, Json] = field(default_factory=dict[str, Json])


Moment = Literal["offered", "waiting", "decided", "conversation", "previewed", "edited", "withdrawn"]
"""Since when it is different: since the model was offered the tool, since the call waits, since it was decided, since
earlier requests of the conversation, since the preview of a file was made, since the person edited the arguments, since
the rule that allowed the call was taken back."""


@dataclass(frozen=True, slots=True)
class BindingChange:
    """How what would run now differs from what was offered, shown or decided."""

    since: Moment
    before: tuple[str, ...] = ()
    """What executed it then; empty where only the definition is known."""
    after: tuple[str, ...] = ()
    definition: tuple[Change, ...] = ()
    gone: bool = False
    """There is no such tool any more."""
    file: str = ""
    """With `previewed`: the file that is not as it was."""

    @property
    def executor_changed(self) -> bool:
        return bool(self.before) and self.before != self.after

    @property
    def words(self) -> str:
        """One sentence for the person who has to decide, without what differs."""
        match self.since:
            case "previewed":
                return f"{self.file} has changed since its preview was approved. Nothing was run; look at it again."
            case "edited":
                return "The edited arguments concern something else than the preview showed. Nothing was run yet."
            case "withdrawn":
                return "The rule that allowed this call was taken back before the call started. Nothing was run."
            case "conversation":
                return "The agent has changed this tool since earlier requests of this conversation."
            case "decided":
                what = "was removed" if self.gone else "changed"
                return f"This tool {what} after the call was allowed. Nothing was run; that decision is void."
            case "waiting":
                return f"This tool {'was removed' if self.gone else 'changed'} while the call was waiting."
            case "offered":
                return f"This tool {'was removed' if self.gone else 'changed'} after the model was offered it."
            case _:
                assert_never(self.since)


def change_between(first: BoundTool, now: BoundTool | None, since: Moment) -> BindingChange | None:
    """None: nothing that a decision is bound to is different."""
    if now is None:
        return BindingChange(since, first.binding.shown_lines, gone=True)
    same_executor = not first.binding.executor or first.binding.executor == now.binding.executor
    if same_executor and first.binding.definition == now.binding.definition:
        return None
    before = first.binding.shown_lines if first.binding.executor else ()
    after = now.binding.shown_lines if before else ()
    if not same_executor and before == after:
        before, after = (*before, "settings as approved"), (*after, "settings changed (environment, headers or limits)")
    return BindingChange(since, before, after, diff(first.definition, now.definition))


class Outdated(Exception):
    """What was approved is not what would run: nothing was run, and the call has to be judged again."""

    def __init__(self, file: str = "") -> None:
        """`file`: the one that has changed since it was previewed; empty = the tool has."""
        super().__init__(file or "the tool has changed since the call was judged")
        self.file = file
