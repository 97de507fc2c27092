"""The section `[chat.tools]`: the approval settings that VS Code users know, by the same names.

Each may be spelled as nested tables or as one quoted key: `[chat.tools.global] autoApprove = true` is the same as
`"chat.tools.global.autoApprove" = true`. What they mean for a call is the business of `vscode_settings`.
"""

from collections.abc import Mapping
from typing import Annotated, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from callgate.core.rules.vscode_patterns import command_condition, edit_condition, url_condition

DEFAULT_MINUTES = 15

Path = tuple[str | int, ...]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class GlobalApproval(_Section):
    auto_approve: bool = Field(default=False, alias="autoApprove")
    acknowledged: bool = False
    """That every call then runs unseen, and what follows from that."""
    minutes: Annotated[float, Field(gt=0, le=1440)] = DEFAULT_MINUTES
    """How long, from when it was switched on."""

    @model_validator(mode="after")
    def _known_danger(self) -> "GlobalApproval":
        if self.auto_approve and not self.acknowledged:
            raise ValueError(
                "autoApprove lets every tool call run unseen, so it also needs acknowledged = true; "
                f"it then holds for {self.minutes:g} minutes"
            )
        return self


class UrlApproval(_Section):
    """Unset sides are left to the next pattern that matches."""

    request: bool | None = Field(default=None, alias="approveRequest")
    response: bool | None = Field(default=None, alias="approveResponse")

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        if isinstance(value, bool):
            return {"approveRequest": value, "approveResponse": value}
        if not isinstance(value, Mapping):
            raise ValueError("expected true, false, or { approveRequest = …, approveResponse = … }")
        return cast(object, value)


class TerminalApproval(_Section):
    approve: bool | None = None
    """None = as if it were not there."""
    match_command_line: bool = Field(default=False, alias="matchCommandLine")

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        if value is None or isinstance(value, bool):
            return {"approve": value}
        if not isinstance(value, Mapping):
            raise ValueError("expected true, false, or { approve = …, matchCommandLine = … }")
        return cast(object, value)


def _edit_pattern(text: str) -> str:
    edit_condition(text, approves=False)
    return text


def _url_pattern(text: str) -> str:
    url_condition(text, approves=False)
    return text


def _command_pattern(text: str) -> str:
    command_condition(text, approves=False)
    return text


class EditApprovals(_Section):
    auto_approve: dict[Annotated[str, AfterValidator(_edit_pattern)], bool] = Field(
        default_factory=dict[str, bool], alias="autoApprove"
    )


class UrlApprovals(_Section):
    auto_approve: dict[Annotated[str, AfterValidator(_url_pattern)], UrlApproval] = Field(
        default_factory=dict[str, UrlApproval], alias="autoApprove"
    )


class TerminalApprovals(_Section):
    auto_approve: dict[Annotated[str, AfterValidator(_command_pattern)], TerminalApproval] = Field(
        default_factory=dict[str, TerminalApproval], alias="autoApprove"
    )


class ChatTools(_Section):
    everything: GlobalApproval = Field(default_factory=GlobalApproval, alias="global")
    edits: EditApprovals = EditApprovals()
    urls: UrlApprovals = UrlApprovals()
    terminal: TerminalApprovals = TerminalApprovals()
    eligible: dict[str, bool] = Field(default_factory=dict[str, bool], alias="eligibleForAutoApproval")


class ChatSettings(_Section):
    tools: ChatTools = ChatTools()


# ---- spelling ------------------------------------------------------------------------------------------------------

_DEEPEST = 3
"""`chat`, `tools` and the group; what is below are names and patterns, in which a dot is a dot."""


def spread_path(path: Path) -> Path:
    """A path of keys with the quoted ones of these settings taken apart."""
    out: list[str | int] = []
    for step in path:
        ours = out[0] == "chat" if out else isinstance(step, str) and step.startswith("chat.")
        if isinstance(step, str) and ours and len(out) < _DEEPEST:
            out += step.split(".")
        else:
            out.append(step)
    return tuple(out)


def spread_keys(data: Mapping[str, object]) -> dict[str, object]:
    """The same tables, with the quoted keys of these settings nested. Raises ValueError where one is given twice."""
    out: dict[str, object] = {}
    for key, value in data.items():
        if key == "chat" or key.startswith("chat."):
            _place(out, (), key, value)
        else:
            out[key] = value
    return out


def _place(out: dict[str, object], above: Path, key: str, value: object) -> None:
    steps = spread_path((*above, key))
    if not isinstance(value, Mapping) or len(steps) > _DEEPEST:
        _leaf(out, steps, cast(object, value))
        return
    if not value:
        _leaf(out, steps, {})
    for inner, below in cast(Mapping[str, object], value).items():
        _place(out, steps, inner, below)


def _leaf(out: dict[str, object], steps: Path, value: object) -> None:
    table: dict[str, object] = out
    for step in steps[:-1]:
        inner = table.setdefault(str(step), {})
        if not isinstance(inner, dict):
            raise ValueError(f"{step} is given both as a value and as a table")
        table = cast(dict[str, object], inner)
    last = str(steps[-1])
    if last in table and table[last] != value:
        raise ValueError(f"{'.'.join(map(str, steps))} is given twice, in two spellings")
    table[last] = value
