"""What Callgate did or saw, in a sentence. Pure; knows values of the core, no widgets and no places."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from callgate.core.calls.invocation import Invocation
from callgate.core.errors import Fault, FaultKind
from callgate.core.messages import FinishReason
from callgate.core.tool import HostedTool, ToolSpec
from callgate.ui.conversation.blocks import NoteKind

_TRIMMED: Final = re.compile(r"\[… (about [\d,]+ of [\d,]+ tokens left out); ([^\n]*?) …\]")
"""What the limit on results leaves in place of the middle."""


@dataclass(frozen=True, slots=True)
class Remark:
    note: NoteKind
    text: str
    detail: str = ""


def on_decision(invocation: Invocation) -> Remark | None:
    """Where the model or the client got something else than what was written or run."""
    if invocation.reason == "Denied":
        by = {"person": "You", "deadline": "The deadline", "rule": "A rule", "setting": "A setting"}
        who = by.get(invocation.decided_by or "", "Callgate")
        why = f": {invocation.explanation.strip()}" if invocation.explanation.strip() else ""
        return Remark("denied", f"{who} denied this call{why}")
    if invocation.reason == "Skipped":
        return Remark("denied", "You skipped this call: the model goes on without it")
    if invocation.reason == "Timeout":
        return Remark("denied", "Nobody decided in time: it counts as denied")
    if invocation.edited_arguments is not None and invocation.edited_arguments != invocation.arguments:
        return Remark(
            "edited", "You edited the arguments; the model's history shows the edited call", invocation.arguments
        )
    ran = any(phase.state in ("Executing", "Released") for phase in invocation.phases)
    if invocation.state == "Completed" and invocation.decided_by == "person" and not ran:
        return Remark("answered", "You answered for the tool: it did not run")
    return None


def on_review(invocation: Invocation) -> Remark | None:
    """Where the model was given something else than what the tool returned."""
    ran, given = invocation.ran_result, invocation.result
    if ran is None or given is None or ran.parts == given.parts:
        return None
    return Remark("reviewed", "The model did not get what the tool returned, but the result above", ran.text)


def on_trimmed(invocation: Invocation) -> Remark | None:
    """Where the model got only a part of what the tool returned."""
    result = invocation.result
    found = None if result is None else _TRIMMED.search(result.text)
    if found is None:
        return None
    return Remark("trimmed", f"Callgate trimmed this result for the model: {found[1]}", found[2])


def on_tools(offered: Iterable[ToolSpec | HostedTool], given: Iterable[ToolSpec | HostedTool]) -> Remark | None:
    """What Callgate changed about the tools on the way to the model."""
    before = [spec.name for spec in offered if isinstance(spec, ToolSpec)]
    after = [spec.name for spec in given if isinstance(spec, ToolSpec)]
    added = [name for name in after if name not in set(before)]
    removed = [name for name in before if name not in set(after)]
    if not added and not removed:
        return None
    said = [
        f"{verb} {len(names)} {'tool' if len(names) == 1 else 'tools'}"
        for verb, names in (("added", added), ("removed", removed))
        if names
    ]
    lists = [f"{sign} {name}" for sign, names in (("+", added), ("−", removed)) for name in names]
    return Remark("tools", f"Callgate {' and '.join(said)}", "\n".join(lists))


def on_warnings(warnings: tuple[str, ...]) -> Remark | None:
    """What was lost or changed on the way to a provider."""
    if not warnings:
        return None
    many = "One thing" if len(warnings) == 1 else f"{len(warnings)} things"
    return Remark("cut", f"{many} did not reach the provider as the client said it", "\n".join(warnings))


def on_unheard(warnings: tuple[str, ...]) -> Remark | None:
    """What was lost on the way back, to a client that speaks another wire."""
    if not warnings:
        return None
    return Remark("cut", "The client could not be told all that the provider said", "\n".join(warnings))


def on_repairs(repairs: tuple[str, ...]) -> Remark | None:
    if not repairs:
        return None
    many = "something that breaks" if len(repairs) == 1 else f"{len(repairs)} things that break"
    return Remark("repaired", f"Callgate mended {many} the wire's rules", "\n".join(repairs))


def on_finish(finish: FinishReason | None) -> Remark | None:
    match finish:
        case "length":
            return Remark("cut", "Cut off: the answer reached its token limit.")
        case "content_filter":
            return Remark("cut", "Cut off by the provider's content filter.")
        case "pause":
            return Remark("cut", "The provider paused here and expects to be asked to go on.")
        case _:
            return None


def on_stopped(fault: Fault | None) -> Remark:
    """An exchange that somebody ended: that is no failure, whoever it was."""
    why = "" if fault is None else _STOPPED_BY.get(fault.message, fault.message)
    return Remark("stopped", f"Stopped before the answer was complete{f': {why}' if why else ''}.")


_STOPPED_BY: Final = {"stopped by the person": "you ended it"}

# ---- failures --------------------------------------------------------------------------------------------------------

_TITLES: Final[dict[FaultKind, str]] = {
    "invalid_request": "The provider refused the request",
    "context_overflow": "The conversation is too long for the model",
    "authentication": "The provider did not accept the key",
    "billing": "The provider wants to be paid first",
    "permission": "The key may not do this",
    "not_found": "The provider does not know this model or address",
    "timeout": "The provider did not answer in time",
    "too_large": "The request is too large",
    "rate_limit": "Too many requests",
    "overloaded": "The provider is overloaded",
    "upstream": "The provider failed",
}
_ADVICE: Final[dict[FaultKind, str]] = {
    "invalid_request": "The Inspector shows the request as it was sent.",
    "context_overflow": "Start a new conversation, or choose a model with a larger context.",
    "authentication": "Check the key of this endpoint in the settings.",
    "billing": "Check the account at the provider.",
    "permission": "Check what the key of this endpoint is allowed to use.",
    "not_found": "Check the model's name and the endpoint's address in the settings.",
    "timeout": "Try again; if it happens often, the endpoint may be overloaded or unreachable.",
    "too_large": "Send less at once: large files and images count.",
    "rate_limit": "Wait a little and try again.",
    "overloaded": "Wait a little and try again, or choose another endpoint.",
    "upstream": "Try again; the Inspector shows what came back.",
}


def failure(fault: Fault) -> tuple[str, str, str]:
    """What happened, in whose words, and what to do."""
    advice = _ADVICE[fault.kind]
    if fault.retry_after is not None:
        again = f"Try again in {fault.retry_after:.0f} s."
        advice = "" if again.rstrip(".").lower() in fault.message.lower() else again
    where = f" (field {fault.param})" if fault.param else ""
    return _TITLES[fault.kind], f"{fault.message}{where}", advice
