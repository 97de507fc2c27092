"""The audit: one entry for each decision, chained by hashes so that none is changed, dropped or moved unseen.

An entry says who decided what about which call, and on exactly which text. It holds hashes of arguments, never
arguments. On a line, an entry is the JSON object of its fields and `v`: keys sorted, no blanks, ASCII only. Its `hash`
is the SHA-256 of that line without the key `hash`; its `previous` is the hash of the entry before, or `START`.

Where decisions could not be written, an entry of the stage "gap" says how many and when.

A chain betrays what was done inside it. Its end can be cut off, or written anew, and the rest still holds: only a last
hash that was noted elsewhere tells. Nothing here knows files or tables.

Of a call that starts programs, an entry says what confines them. Such an entry has version 3, as it has one more field.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Literal

from callgate.core.calls.invocation import Invocation, State, text_hash
from callgate.core.events import InvocationChanged
from callgate.core.messages import Json

VERSION = 1
START = "0" * 64
"""What the first entry has as `previous`."""

Stage = Literal["call", "void", "reason", "result"]
"""What was decided: whether the call may run, that this did not count any more because what would have run is not what
was decided, why it was denied (where that was said after the denial, which has an entry of its own), or (a review) what
the model gets of its result. Later ones of a call are numbered: `call 2`, `void 2`."""
GAP = "gap"
"""The stage of an entry that stands for decisions that were not recorded."""

_WAITING_STATE: dict[Stage, State] = {
    "call": "WaitingForConfirmation",
    "void": "WaitingForConfirmation",
    "reason": "WaitingForConfirmation",
    "result": "WaitingForPostApproval",
}
_LATER: dict[str, Json] = {"executor": "", "missing": 0, "seen_at": 0.0, "since": 0.0, "wall": ""}
"""Fields that early entries lack: left out where they are empty, so that those keep their hashes."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One decision. Words of the state machine are kept as text: what was written once must stay readable for ever."""

    sequence: int
    """From 1; 0 = not in a chain yet."""
    at: float
    conversation_id: str = ""
    exchange_id: str = ""
    invocation_id: str = ""
    call_id: str = ""
    stage: str = ""
    agent: str = ""
    model: str = ""
    tool: str = ""
    source: str = ""
    owner: str = ""
    fingerprint: str = ""
    executor: str = ""
    """Digest of what runs the call; with the fingerprint, what the decision is bound to."""
    verdict: str = ""
    """What the rules said: allow, ask, deny; empty = they were not reached."""
    reason: str = ""
    decided_by: str = ""
    initiator: str = ""
    rule: str = ""
    """The rule that gave the verdict, in words; empty = none did."""
    explanation: str = ""
    scope: str = ""
    waited_seconds: float = 0.0
    arguments_hash: str = ""
    """Hash of exactly the arguments that were judged and shown."""
    edited: bool = False
    edited_arguments_hash: str = ""
    """The same of what runs instead; empty = as the model wrote it."""
    result_changed: bool = False
    """In a review: whether the model gets something else than the tool returned."""
    state: str = ""
    """The state that the decision led to."""
    missing: int = 0
    """Of a gap: how many decisions are missing; 0 = it is not known."""
    since: float = 0.0
    """Of a gap: when it began; `at` is when it ended."""
    wall: str = ""
    """Of a call that runs here and starts programs: what confines them."""
    seen_at: float = 0.0
    """When it was first on a person's screen; 0 = it was not, or was decided without a person."""
    previous: str = ""
    hash: str = ""

    @property
    def is_gap(self) -> bool:
        return self.stage == GAP


@dataclass(frozen=True, slots=True)
class Verified:
    count: int
    last: str
    """The hash of the last entry: whoever has it noted elsewhere can tell that nothing was cut off."""
    gaps: tuple[AuditEntry, ...] = ()
    """Where the chain itself says that decisions were not recorded."""


@dataclass(frozen=True, slots=True)
class Broken:
    line: int
    """From 1."""
    why: str
    """Begins with what was done: edited, removed, reordered, truncated, forged."""


class UnreadableEntry(ValueError):
    """A line that is no entry, or none as Callgate writes it."""


# ---- from events to entries ----------------------------------------------------------------------------------------


def entry_of(event: InvocationChanged) -> AuditEntry | None:
    """The entry for a change that settles a decision, not chained yet; None for every other change."""
    invocation = event.invocation
    stage = _settled(invocation)
    if stage is None:
        return None
    verdict = invocation.verdict
    edited = invocation.edited_arguments
    return AuditEntry(
        sequence=0,
        at=float(event.at),
        conversation_id=invocation.conversation_id,
        exchange_id=invocation.exchange_id,
        invocation_id=invocation.id,
        call_id=invocation.call_id,
        stage=_numbered(stage, invocation),
        agent=invocation.agent,
        model=invocation.model,
        tool=invocation.tool,
        source=invocation.source,
        owner=invocation.owner,
        fingerprint=invocation.fingerprint,
        executor=invocation.executor,
        verdict=verdict.kind if verdict is not None else "",
        reason=invocation.reason or "",
        decided_by=_decider(event, stage),
        initiator=event.initiator,
        rule=verdict.rule if verdict is not None else "",
        explanation=_explained(invocation, stage),
        scope=invocation.scope or "",
        waited_seconds=round(float(invocation.seconds_in(_WAITING_STATE[stage], event.at)), 3),
        arguments_hash=text_hash(invocation.arguments),
        edited=edited is not None,
        edited_arguments_hash=text_hash(edited) if edited is not None else "",
        result_changed=stage == "result" and invocation.result != invocation.ran_result,
        state=invocation.state,
        wall=invocation.wall if stage == "call" and invocation.state == "Executing" else "",
        seen_at=float(invocation.seen_at or 0.0),
    )


def gap(since: float, until: float, missing: int) -> AuditEntry:
    """The entry for decisions that were not recorded, not chained yet."""
    if missing:
        what = "1 decision was" if missing == 1 else f"{missing} decisions were"
    else:
        what = "an unknown number of decisions was"
    words = f"Between {_moment(since)} and {_moment(until)} {what} not recorded."
    return AuditEntry(0, float(until), stage=GAP, explanation=words, missing=missing, since=float(since))


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def _settled(invocation: Invocation) -> Stage | None:
    """What the latest change decided. Asking decides nothing, and neither do running and returning."""
    if invocation.reason_at is not None:
        return "reason"
    if invocation.was_voided:
        # where a rule has decided, it led on to the next decision at once
        return "void" if invocation.state == "WaitingForConfirmation" else "call"
    if len(invocation.phases) < 2 or invocation.state == "WaitingForConfirmation":
        return None
    match invocation.phases[-2].state:
        case "Streaming" | "WaitingForConfirmation":
            return "call"
        case "WaitingForPostApproval":
            return "result"
        case _:
            return None


def _numbered(stage: Stage, invocation: Invocation) -> str:
    number = len(invocation.voided) + (stage == "call")
    return f"{stage} {number}" if stage in ("call", "void") and number > 1 else stage


def _explained(invocation: Invocation, stage: Stage) -> str:
    if not invocation.was_voided:
        return invocation.explanation
    why = invocation.voided[-1].why
    return why if stage == "void" else f"{why} Judged anew: {invocation.explanation}"


def _decider(event: InvocationChanged, stage: Stage) -> str:
    if stage == "void":
        return event.invocation.voided[-1].by or ""
    # a review leaves the invocation saying who let the call run; what comes from a front door is a person's
    if stage == "result" and event.invocation.state == "Completed" and event.initiator != "engine":
        return "person"
    return event.invocation.decided_by or ""


# ---- the chain -----------------------------------------------------------------------------------------------------


def chain(previous_hash: str, entry: AuditEntry) -> AuditEntry:
    """The entry as the successor of the one with that hash; its sequence must be set."""
    linked = replace(entry, previous=previous_hash)
    return replace(linked, hash=_hash(linked))


def verify(entries: Sequence[AuditEntry], last: str = "") -> Verified | Broken:
    """Whether these are all entries from the first on, as they were written; up to `last`, if that hash is known."""
    places = {entry.sequence: line for line, entry in reversed(list(enumerate(entries, start=1)))}
    before = START
    for line, entry in enumerate(entries, start=1):
        why = _problem(line, entry, before, places)
        if why:
            return Broken(line, why)
        before = entry.hash
    if last and last != before:
        return Broken(len(entries) + 1, f"truncated or forged: the last entry should have the hash {last}")
    return Verified(len(entries), before, tuple(entry for entry in entries if entry.is_gap))


def verify_lines(lines: Iterable[bytes], last: str = "") -> Verified | Broken:
    """The same of exported lines, byte by byte; line ends do not count."""
    entries: list[AuditEntry] = []
    for number, line in enumerate(lines, start=1):
        try:
            entries.append(read_line(_decoded(line.rstrip(b"\r\n"))))
        except UnreadableEntry as problem:
            earlier = verify(entries)
            return earlier if isinstance(earlier, Broken) else Broken(number, str(problem))
    return verify(entries, last)


def _problem(line: int, entry: AuditEntry, before: str, places: dict[int, int]) -> str:
    """What is wrong with an entry, all before it being right; empty = nothing."""
    if entry.hash != _hash(entry):
        return "edited: what it says does not have the hash that it carries"
    if entry.sequence < line:
        return f"forged: entry {entry.sequence} stands here, and has its place further up"
    if entry.sequence > line and line in places:
        return f"reordered: entry {entry.sequence} stands here, and entry {line} only on line {places[line]}"
    if entry.sequence > line:
        gone = f"entry {line} is" if entry.sequence == line + 1 else f"entries {line} to {entry.sequence - 1} are"
        return f"removed: {gone} missing before this one"
    if entry.previous != before:
        what = f"the one on line {line - 1} before it" if line > 1 else "the start of a chain"
        return f"forged: it does not continue {what}; one of the two was put in the place of another"
    return ""


# ---- lines ---------------------------------------------------------------------------------------------------------

_KINDS = {field.name: field.type for field in fields(AuditEntry)}


def write_line(entry: AuditEntry) -> str:
    """An entry as a line of JSON, without the line end."""
    return _spelled(_said(entry))


def read_line(line: str) -> AuditEntry:
    """Raises `UnreadableEntry` for anything but exactly what `write_line` makes."""
    try:
        value: Json = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        if line.startswith("{") and not line.endswith("}"):
            raise UnreadableEntry("truncated: the line ends in the middle of an entry") from error
        raise UnreadableEntry("edited: the line is not JSON") from error
    if not isinstance(value, dict) or "v" not in value:
        raise UnreadableEntry("edited: the line is not an entry of an audit")
    if value["v"] != VERSION:
        raise UnreadableEntry(f"edited, or of a newer Callgate: this one reads version {VERSION}")
    said = {name: value.get(name, _LATER.get(name)) for name in _KINDS}
    wrong = next((name for name, kind in _KINDS.items() if type(said[name]) is not kind), "")
    if wrong:
        raise UnreadableEntry(f"edited: {wrong} is missing or no {getattr(_KINDS[wrong], '__name__', 'value')}")
    entry = AuditEntry(**said)  # type: ignore[arg-type]  # each has the type of its field
    if write_line(entry) != line:
        # two keys of one name, or one too many, would show one thing to us and another to the next reader
        raise UnreadableEntry("edited: the line is not spelled as Callgate spells it")
    return entry


def _said(entry: AuditEntry) -> dict[str, object]:
    said = {name: value for name, value in asdict(entry).items() if value or name not in _LATER}
    return {"v": VERSION, **said}


def _hash(entry: AuditEntry) -> str:
    said = _said(entry)
    del said["hash"]
    return hashlib.sha256(_spelled(said).encode("ascii")).hexdigest()


def _spelled(said: Mapping[str, object]) -> str:
    # not orjson: ASCII holds half surrogate pairs, and prints on every terminal with nothing hidden in it
    return json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _decoded(line: bytes) -> str:
    try:
        return line.decode("ascii")
    except UnicodeDecodeError as error:
        raise UnreadableEntry("edited: the line has characters that Callgate never writes") from error


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")
