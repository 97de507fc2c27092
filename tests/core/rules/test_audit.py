"""One entry for each decision, and no way to touch the chain unseen."""

import hashlib
import json
from dataclasses import replace

import pytest

from callgate.core.calls.binding import Binding, BindingChange
from callgate.core.calls.invocation import (
    Allow,
    ArgumentsComplete,
    Ask,
    Cancel,
    Invocation,
    Phase,
    Return,
    Review,
    Settle,
    Step,
    Void,
    advance,
    text_hash,
)
from callgate.core.events import InvocationChanged
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.audit import (
    START,
    AuditEntry,
    Broken,
    UnreadableEntry,
    Verified,
    chain,
    entry_of,
    gap,
    read_line,
    verify,
    verify_lines,
    write_line,
)
from callgate.core.rules.policy import Verdict

ASKED = Verdict("ask", "no rule matched")
RESULT = ToolResult("call_1", (Text("content"),))
FRESH = Invocation(
    "inv_1",
    "e1",
    "c1",
    round=1,
    part=0,
    call_id="call_1",
    tool="read_file",
    owner="gate",
    source="files",
    agent="codex",
    model="gpt-9",
    fingerprint="f" * 32,
    phases=(Phase("Streaming", 1.0),),
)


def entries_of(*steps: Step, initiator: str = "card", start: Invocation = FRESH) -> list[AuditEntry]:
    """What the audit gets of a life that takes these steps, one every ten seconds."""
    found = [entry_of(InvocationChanged(start, 1.0))]
    for number, step in enumerate(steps, start=1):
        start = advance(start, step, number * 10.0)
        found.append(entry_of(InvocationChanged(start, number * 10.0, initiator)))
    return [entry for entry in found if entry is not None]


def a_chain(length: int = 5) -> list[AuditEntry]:
    out: list[AuditEntry] = []
    for number in range(1, length + 1):
        (entry,) = entries_of(Allow("Setting", "rule", Verdict("allow", "", "allow *")))
        fresh = replace(entry, sequence=number, invocation_id=f"inv_{number}")
        out.append(chain(out[-1].hash if out else START, fresh))
    return out


def lines_of(entries: list[AuditEntry]) -> list[bytes]:
    return [write_line(entry).encode("ascii") + b"\n" for entry in entries]


def test_a_call_that_a_person_approves_with_an_edit_is_one_entry_with_all_that_counts() -> None:
    arguments, edited = '{"path": "/etc/ä"}', '{"path": "/tmp/ä"}'
    (entry,) = entries_of(
        ArgumentsComplete(arguments),
        Ask(ASKED, 99.0),
        Allow("UserAction", "person", arguments=edited, explanation="only there", scope="session"),
        Return(RESULT),
    )
    assert entry == AuditEntry(
        sequence=0,
        at=30.0,
        conversation_id="c1",
        exchange_id="e1",
        invocation_id="inv_1",
        call_id="call_1",
        stage="call",
        agent="codex",
        model="gpt-9",
        tool="read_file",
        source="files",
        owner="gate",
        fingerprint="f" * 32,
        verdict="ask",
        reason="UserAction",
        decided_by="person",
        initiator="card",
        explanation="only there",
        scope="session",
        waited_seconds=10.0,
        arguments_hash=text_hash(arguments),
        edited=True,
        edited_arguments_hash=text_hash(edited),
        state="Executing",
    )


@pytest.mark.parametrize(
    ("steps", "state", "by"),
    [
        ([Allow("Setting", "rule")], "Executing", "rule"),
        ([Settle(RESULT, "Denied", "rule")], "Completed", "rule"),
        ([Ask(ASKED, None), Settle(RESULT, "Skipped", "person")], "Completed", "person"),
        ([Ask(ASKED, None), Cancel("deadline", "Timeout", result=RESULT)], "Cancelled", "deadline"),
        ([Cancel("client")], "Cancelled", "client"),
        ([Allow("Setting", "rule"), Cancel("shutdown")], "Executing", "rule"),
    ],
)
def test_every_way_out_of_judgement_is_one_entry(steps: list[Step], state: str, by: str) -> None:
    (entry,) = entries_of(*steps)
    assert (entry.state, entry.decided_by) == (state, by)


def test_an_entry_says_when_a_person_first_had_the_call_on_the_screen() -> None:
    asked = advance(advance(FRESH, ArgumentsComplete("{}"), 5.0), Ask(ASKED, 99.0), 6.0)
    (seen,) = entries_of(Settle(RESULT, "Denied", "person"), start=replace(asked, seen_at=8.5))
    (unseen,) = entries_of(Settle(RESULT, "Denied", "rule"), start=asked)
    assert (seen.seen_at, unseen.seen_at) == (8.5, 0.0)
    assert '"seen_at":8.5' in write_line(seen) and "seen_at" not in write_line(unseen), "older entries keep their hash"
    assert read_line(write_line(seen)) == seen


def test_leaving_is_an_entry_of_its_own() -> None:
    (entry,) = entries_of(Ask(ASKED, None), Cancel("leaving", explanation="The person quit Callgate"))
    assert (entry.state, entry.decided_by, entry.explanation) == ("Cancelled", "leaving", "The person quit Callgate")


def test_a_released_call_is_one_entry() -> None:
    (entry,) = entries_of(Allow("Setting", "setting"), start=replace(FRESH, owner="client"))
    assert (entry.state, entry.owner) == ("Released", "client")


def test_forming_asking_running_and_returning_decide_nothing() -> None:
    assert entries_of(ArgumentsComplete("{}"), Ask(ASKED, None)) == []
    running = advance(FRESH, Allow("Setting", "rule"), 2.0)
    assert entry_of(InvocationChanged(advance(running, Return(RESULT), 3.0), 3.0)) is None
    assert (
        entry_of(
            InvocationChanged(
                advance(running, Return(RESULT, review=Verdict("ask", "a rule wants the result reviewed")), 3.0), 3.0
            )
        )
        is None
    )


def test_a_review_is_a_decision_of_its_own_and_the_reviewers() -> None:
    withheld = ToolResult("call_1", (Text("withheld"),), is_error=True)
    call, result = entries_of(
        Allow("Setting", "rule"),
        Return(RESULT, review=Verdict("ask", "a rule wants the result reviewed")),
        Review(withheld, "private"),
        initiator="dialog",
    )
    assert (call.stage, call.decided_by, call.result_changed) == ("call", "rule", False)
    assert (result.stage, result.decided_by, result.result_changed) == ("result", "person", True)
    assert (result.explanation, result.waited_seconds, result.state) == ("private", 10.0, "Completed")


def test_an_accepted_result_is_not_a_changed_one() -> None:
    *_, result = entries_of(
        Allow("Setting", "rule"),
        Return(RESULT, review=Verdict("ask", "a rule wants the result reviewed")),
        Review(RESULT),
    )
    assert not result.result_changed


def test_a_line_is_one_object_of_ascii_with_a_version_and_reads_back() -> None:
    entry = chain(START, replace(a_chain(1)[0], explanation="„nein“ \u202e \ud83d\n"))
    line = write_line(entry)
    assert line.isascii()
    assert "\n" not in line
    assert json.loads(line)["v"] == 1
    assert read_line(line) == entry


def test_a_call_that_starts_programs_says_what_confined_them() -> None:
    walled = replace(FRESH, wall="Sandbox: bubblewrap · no network")
    (entry,) = entries_of(Allow("Setting", "rule"), start=walled)
    assert entry.wall == walled.wall
    (denied,) = entries_of(Settle(RESULT, "Denied", "rule"), start=walled)
    assert denied.wall == "", "nothing ran"


def test_entries_from_before_walls_were_recorded_still_hold() -> None:
    old = a_chain(2)
    assert '"wall"' not in write_line(old[0])
    walled = chain(old[-1].hash, replace(old[-1], sequence=3, invocation_id="inv_3", wall="none"))
    lines = lines_of([*old, walled])
    assert json.loads(lines[2])["v"] == json.loads(lines[0])["v"] and read_line(write_line(walled)) == walled
    assert verify_lines(lines) == Verified(3, walled.hash)
    forged = lines[2].replace(b'"wall":"none"', b'"wall":"bwrap"')
    assert broken(verify_lines([*lines[:2], forged])) == (3, "edited")
    stripped = lines[2].replace(b',"wall":"none"', b"")
    assert broken(verify_lines([*lines[:2], stripped])) == (3, "edited")


def test_the_hash_can_be_taken_by_anybody_from_the_line_alone() -> None:
    value = json.loads(write_line(a_chain(1)[0]))
    claimed = value.pop("hash")
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == claimed
    assert value["previous"] == START


def test_an_untouched_chain_holds() -> None:
    entries = a_chain()
    assert verify(entries) == Verified(5, entries[-1].hash)
    assert verify_lines(lines_of(entries)) == Verified(5, entries[-1].hash)
    assert verify_lines(lines_of(entries), entries[-1].hash) == Verified(5, entries[-1].hash)
    assert verify([]) == Verified(0, START)


def test_line_ends_of_another_system_do_not_break_it() -> None:
    assert isinstance(verify_lines([line[:-1] + b"\r\n" for line in lines_of(a_chain())]), Verified)


def broken(found: Verified | Broken) -> tuple[int, str]:
    assert isinstance(found, Broken)
    return found.line, found.why.split(":")[0]


FIELDS = [name for name in AuditEntry.__dataclass_fields__ if name not in ("sequence", "previous", "hash")]


@pytest.mark.parametrize("field", FIELDS)
def test_no_field_can_be_edited(field: str) -> None:
    entries = a_chain()
    before = getattr(entries[2], field)
    after = not before if isinstance(before, bool) else before + "x" if isinstance(before, str) else before + 1
    entries[2] = replace(entries[2], **{field: after})
    assert broken(verify(entries)) == (3, "edited")
    assert broken(verify_lines(lines_of(entries))) == (3, "edited")


def with_a_gap(missing: int = 3) -> list[AuditEntry]:
    entries = a_chain()
    last = entries[-1]
    return [*entries, chain(last.hash, replace(gap(100.0, 160.5, missing), sequence=last.sequence + 1))]


def test_a_chain_says_itself_where_decisions_are_missing() -> None:
    found = verify_lines(lines_of(with_a_gap()))
    assert isinstance(found, Verified)
    assert [(entry.sequence, entry.missing, entry.since, entry.at) for entry in found.gaps] == [(6, 3, 100.0, 160.5)]
    assert found.gaps[0].explanation == (
        "Between 1970-01-01T00:01:40.000+00:00 and 1970-01-01T00:02:40.500+00:00 3 decisions were not recorded."
    )


def test_fields_of_a_gap_stand_in_no_other_entry() -> None:
    assert all("missing" not in json.loads(line) and "since" not in json.loads(line) for line in lines_of(a_chain()))


@pytest.mark.parametrize(("field", "value"), [("missing", 1), ("since", 159.0), ("stage", "call"), ("explanation", "")])
def test_a_gap_cannot_be_edited(field: str, value: object) -> None:
    entries = with_a_gap()
    entries[5] = replace(entries[5], **{field: value})
    assert broken(verify(entries)) == (6, "edited")
    assert broken(verify_lines(lines_of(entries))) == (6, "edited")


def test_an_edit_with_a_fitting_new_hash_is_betrayed_by_the_next_entry() -> None:
    entries = a_chain()
    entries[2] = chain(entries[1].hash, replace(entries[2], decided_by="person"))
    assert broken(verify(entries)) == (4, "forged")


@pytest.mark.parametrize("line", [1, 2, 4])
def test_a_removed_entry_is_missed(line: int) -> None:
    entries = a_chain()
    del entries[line - 1]
    assert broken(verify(entries)) == (line, "removed")


def test_a_removed_stretch_is_named() -> None:
    entries = a_chain()
    del entries[1:3]
    assert verify(entries) == Broken(2, "removed: entries 2 to 3 are missing before this one")


def test_entries_in_another_order_are_noticed() -> None:
    entries = a_chain()
    entries[1], entries[2] = entries[2], entries[1]
    assert broken(verify(entries)) == (2, "reordered")


def test_an_entry_that_stands_there_twice_is_noticed() -> None:
    entries = a_chain()
    entries.insert(2, entries[1])
    assert broken(verify(entries)) == (3, "forged")


def test_an_entry_put_in_from_elsewhere_is_noticed() -> None:
    entries = a_chain()
    entries[3] = chain("a" * 64, replace(entries[3], tool="rm"))
    assert broken(verify(entries)) == (4, "forged")


def test_a_chain_that_begins_elsewhere_is_noticed() -> None:
    (entry,) = a_chain(1)
    assert broken(verify([chain("a" * 64, entry)])) == (1, "forged")


def test_a_line_cut_in_the_middle_is_noticed() -> None:
    lines = lines_of(a_chain())
    assert broken(verify_lines([*lines[:3], lines[3][:80]])) == (4, "truncated")
    assert broken(verify_lines([*lines[:2], lines[2][:80], *lines[3:]])) == (3, "truncated")


def test_a_cut_off_end_is_noticed_by_whoever_noted_the_last_hash() -> None:
    entries = a_chain()
    last = entries.pop().hash
    assert isinstance(verify(entries), Verified)
    assert broken(verify(entries, last)) == (5, "truncated or forged")


def test_the_earliest_fault_is_the_one_reported() -> None:
    lines = lines_of(a_chain())
    del lines[1]
    lines[3] = b"{"
    assert broken(verify_lines(lines)) == (2, "removed")


@pytest.mark.parametrize(
    "line",
    [b"", b"hello", b"[]", b"{}", b'{"v":2}', b'{"v":1}', b"\xff\xfe", b"NaN", b'{"v":1,"at":NaN}', b"[" * 100_000],
)
def test_a_line_that_is_no_entry_is_reported_with_its_number(line: bytes) -> None:
    assert broken(verify_lines([*lines_of(a_chain(2)), line]))[0] == 3


def test_a_number_beyond_all_bounds_is_an_edit_like_any_other() -> None:
    (line,) = lines_of(a_chain(1))
    assert broken(verify_lines([line.replace(b'"at":10.0', b'"at":1e999')])) == (1, "edited")


def test_a_line_that_other_readers_could_take_differently_is_refused() -> None:
    line = write_line(a_chain(1)[0])
    for other in (line.replace('{"agent"', '{"agent":"x","agent"'), line.replace('"v":1', '"v":1,"x":2'), line + " "):
        assert other != line
        with pytest.raises(UnreadableEntry):
            read_line(other)


BOUND = Binding("g" * 32, "e" * 32, ("POST /evil",), "files")


def test_a_void_decision_and_the_one_that_follows_are_entries_of_their_own() -> None:
    change = BindingChange("decided", ("POST /safe",), ("POST /evil",))
    first, void, second = entries_of(
        Ask(ASKED, 99.0),
        Allow("UserAction", "person"),
        Void(BOUND, change, Ask(ASKED, 99.0)),
        Allow("UserAction", "person"),
        Return(RESULT),
    )
    assert [first.stage, void.stage, second.stage] == ["call", "void", "call 2"]
    assert (void.decided_by, void.explanation, void.state) == ("person", change.words, "WaitingForConfirmation")
    assert (first.executor, second.executor) == ("", "e" * 32)


def test_a_call_that_a_rule_judges_anew_is_one_entry_that_says_so() -> None:
    change = BindingChange("decided", gone=True)
    denied = Settle(RESULT, "Denied", "rule", explanation="never")
    first, second = entries_of(Allow("Setting", "rule"), Void(None, change, denied))
    assert [first.stage, second.stage] == ["call", "call 2"]
    assert second.state == "Completed" and second.explanation == f"{change.words} Judged anew: never"


def test_entries_from_before_executors_were_kept_are_read_and_keep_their_hashes() -> None:
    old = a_chain(2)
    lines = lines_of(old)
    assert all(b"executor" not in line for line in lines)
    assert verify_lines(lines) == Verified(2, old[-1].hash)
    fresh = chain(old[-1].hash, replace(old[0], sequence=3, invocation_id="inv_3", executor="e" * 32))
    assert verify_lines(lines_of([*old, fresh])) == Verified(3, fresh.hash)
    forged = write_line(old[0]).replace('"exchange_id"', '"executor":"","exchange_id"')
    with pytest.raises(UnreadableEntry):
        read_line(forged)
