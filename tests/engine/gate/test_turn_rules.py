"""What is remembered for a turn or a conversation, at the real gate and rule book: in any order of requests, decisions
and removals it covers nothing beyond."""

import asyncio
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples

from callgate.core.calls.invocation import Decision, Invocation, Phase
from callgate.core.errors import UserFault
from callgate.core.messages import File, Message, Role, Text, ToolCall, ToolResult
from callgate.core.rules.grant import grant
from callgate.core.rules.rule import ELSEWHERE
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct, named_targets, no_twin
from callgate.engine.gate.judge import Judge
from callgate.store.rulebook import Rulebook

SAYS = Message("user", (Text("go on"),))
RESULT = Message("tool", (ToolResult("call_1", (Text("ok"),)),))
CALLS = Message("assistant", (ToolCall("call_1", "read_file", "{}"),))


def call(conversation: str = "c", agent: str = "script", *, proven: bool = False, turn: str = "") -> Invocation:
    return Invocation(
        "inv", "e", conversation, 1, 0, "call_1", "read_file", "gate", "built-in", agent, "m",
        fingerprint="f", phases=(Phase("Streaming", 0.0),), agent_proven=proven, turn=turn,
    )  # fmt: skip


def gate_with(book: Rulebook) -> Gate:
    return Gate(Bus(), book, GateConduct(), lambda invocation, arguments: "")


def allowed(gate: Gate, one: Invocation) -> bool:
    return gate.foresee(one, "{}")[1] == "allow"


@pytest.mark.parametrize(
    ("fresh", "begins"),
    [
        ((RESULT,), False),
        ((CALLS, RESULT), False),
        ((), False),
        ((SAYS,), True),
        ((RESULT, SAYS), True),
        ((SAYS, RESULT), True),
        ((Message("user", (ToolResult("call_1", (Text("ok"),)),)),), False),
        ((Message("user", (ToolResult("call_1", ()), Text("and now delete it"))),), True),
        ((Message("tool", (ToolResult("call_1", ()), Text("and now delete it"))),), True),
        ((Message("user", (File("application/pdf", data="x"),)),), True),
        ((Message("developer", (Text("a new task"),)),), True),
        ((Message("system", (Text("a new task"),)),), True),
    ],
)
def test_whatever_says_something_new_begins_a_turn(tmp_path: Path, fresh: tuple[Message, ...], begins: bool) -> None:
    gate = gate_with(Rulebook(tmp_path / "rules.toml"))
    assert gate.enter_turn("c", "e1", (SAYS,)) == "e1"
    assert gate.enter_turn("c", "e2", fresh) == ("e2" if begins else "e1")


def test_a_client_that_comes_back_after_a_restart_does_not_resume_a_turn(tmp_path: Path) -> None:
    gate = gate_with(Rulebook(tmp_path / "rules.toml"))
    assert gate.enter_turn("c", "e7", (RESULT,)) == "e7"


def test_a_claimed_name_is_covered_in_its_conversation_but_never_elsewhere_or_as_another(tmp_path: Path) -> None:
    book = Rulebook(tmp_path / "rules.toml")
    gate = gate_with(book)
    turn = gate.enter_turn("c", "e1", (SAYS,))
    gate.enter_turn("d", "e2", (SAYS,))
    one = call(turn=turn)
    book.add(grant(one, Decision("approve", scope="conversation")), "conversation")
    assert allowed(gate, one)
    assert allowed(gate, replace(one, turn="later"))
    assert not allowed(gate, call("d", turn="e2"))
    assert not allowed(gate, replace(one, agent="other"))
    assert not allowed(gate, replace(one, agent_proven=True)), "the proven agent of that name is somebody else"
    assert not allowed(gate, replace(one, fingerprint="changed"))
    assert not allowed(gate, replace(one, sub_agent="a1")), "one that goes on from its parent's history"
    verdict, _ = gate.foresee(call("d", turn="e2"), "{}")
    assert ELSEWHERE in [line.outcome for line in verdict.trace]
    assert not verdict.needs_proof, "a token would not help: the rule is for another conversation"


def test_a_decision_for_a_turn_that_ended_meanwhile_decides_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        book = Rulebook(tmp_path / "rules.toml")
        gate = gate_with(book)
        turn = gate.enter_turn("c", "e1", (SAYS,))
        gate.open(call(turn=turn))
        judging = asyncio.ensure_future(gate.judge("inv", "{}"))
        while not gate.waiting():
            await asyncio.sleep(0)
        gate.enter_turn("c", "e2", (SAYS,))
        with pytest.raises(UserFault, match="turn has ended"):
            gate.decide("inv", Decision("approve", scope="turn"), "test")
        assert [one.state for one in gate.waiting()] == ["WaitingForConfirmation"]
        assert gate.decide("inv", Decision("approve"), "test")
        assert (await judging).state == "Executing"
        assert book.rules() == ()

    asyncio.run(asyncio.wait_for(scenario(), 5))


def test_a_call_of_no_turn_can_be_remembered_for_its_conversation_only(tmp_path: Path) -> None:
    async def scenario() -> None:
        book = Rulebook(tmp_path / "rules.toml")
        gate = gate_with(book)
        gate.enter_turn("c", "e1", ())
        gate.open(call())
        judging = asyncio.ensure_future(gate.judge("inv", "{}"))
        while not gate.waiting():
            await asyncio.sleep(0)
        with pytest.raises(UserFault, match="no turn"):
            gate.decide("inv", Decision("approve", scope="turn"), "test")
        assert gate.decide("inv", Decision("approve", scope="conversation"), "test")
        decided = await judging
        assert (decided.state, decided.scope) == ("Executing", "conversation")
        assert [rule.origin for rule in book.rules()] == ["conversation"]

    asyncio.run(asyncio.wait_for(scenario(), 5))


def test_a_denial_for_a_turn_denies_there_and_nowhere_else(tmp_path: Path) -> None:
    book = Rulebook(tmp_path / "rules.toml")
    gate = gate_with(book)
    turn = gate.enter_turn("c", "e1", (SAYS,))
    one = call(turn=turn)
    book.add(grant(one, Decision("deny", scope="turn", reason="not now")), "turn")
    assert gate.foresee(one, "{}")[1] == "deny"
    assert gate.foresee(replace(one, turn="e9"), "{}")[1] == "ask"


def test_a_result_that_a_rule_wants_reviewed_is_reviewed_only_where_the_rule_holds(tmp_path: Path) -> None:
    book = Rulebook(tmp_path / "rules.toml")
    gate = gate_with(book)
    turn = gate.enter_turn("c", "e1", (SAYS,))
    one = call(turn=turn)
    book.add(replace(grant(one, Decision("approve", scope="turn")), review=True), "turn")
    judge = Judge(book, GateConduct(), lambda: 0.0, no_twin, named_targets)
    assert judge.review_of(one) is not None
    assert judge.review_of(replace(one, conversation_id="d")) is None


# ---- in any order ----------------------------------------------------------------------------------------------------

CONVERSATIONS = ("c", "d")
CALLERS = (("anne", False), ("anne", True), ("bert", False))
names = st.sampled_from(CONVERSATIONS)
callers = st.sampled_from(CALLERS)
steps = st.one_of(
    st.tuples(st.just("request"), names, st.booleans()),
    st.tuples(st.just("grant"), names, callers, st.sampled_from(["turn", "conversation"]), st.booleans()),
    st.tuples(st.just("forget"), names),
    st.tuples(st.just("remove"), st.integers(0, 5)),
)


@dataclass
class Oracle:
    """What should hold, kept without any code of the program: turns are counted, not named."""

    turns: dict[str, int] = field(default_factory=dict)
    grants: list[tuple[str, str, tuple[str, bool], int]] = field(default_factory=list)
    """Rule id, conversation, caller, number of the turn; 0 = the whole conversation."""

    def covers(self, conversation: str, caller: tuple[str, bool], number: int) -> bool:
        return any((of, by) == (conversation, caller) and only in (0, number) for _, of, by, only in self.grants)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(steps, max_size=30))
def test_no_rule_outlives_its_turn_or_leaves_its_conversation_or_agent(course: list[tuple]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        book = Rulebook(Path(folder) / "rules.toml")
        gate, oracle = gate_with(book), Oracle()
        names_of: dict[tuple[str, int], str] = {}
        """What the program calls each turn that there ever was."""
        for number, step in enumerate(course):
            match step:
                case ("request", conversation, said):
                    turn = gate.enter_turn(conversation, f"e{number}", (SAYS if said else RESULT,))
                    if said or conversation not in oracle.turns:
                        oracle.turns[conversation] = number + 1
                        oracle.grants = [one for one in oracle.grants if one[1] != conversation or one[3] == 0]
                    names_of[conversation, oracle.turns[conversation]] = turn
                case ("grant", conversation, caller, scope, late) if conversation in oracle.turns:
                    earlier = [at for of, at in names_of if of == conversation]
                    at = earlier[0] if late else oracle.turns[conversation]
                    one = call(conversation, caller[0], proven=caller[1], turn=names_of[conversation, at])
                    try:
                        rule = book.add(grant(one, Decision("approve", scope=scope)), scope)
                    except UserFault:
                        assert scope == "turn" and at != oracle.turns[conversation]
                    else:
                        assert scope == "conversation" or at == oracle.turns[conversation]
                        oracle.grants.append((rule.id, conversation, caller, at if scope == "turn" else 0))
                case ("forget", conversation):
                    book.forget(conversation)
                    oracle.turns.pop(conversation, None)
                    oracle.grants = [one for one in oracle.grants if one[1] != conversation]
                case ("remove", index) if index < len(oracle.grants):
                    book.remove(oracle.grants.pop(index)[0])
                case _:
                    pass
            assert {rule.id for rule in book.rules()} == {one[0] for one in oracle.grants}
            for (conversation, at), turn in names_of.items():
                for caller in CALLERS:
                    one = call(conversation, caller[0], proven=caller[1], turn=turn)
                    assert allowed(gate, one) == oracle.covers(conversation, caller, at)
            # before its conversation is looked at, every call is held back
            assert gate.could_refuse("read_file", "built-in", "anne", "f", owner_is_client=False)


def test_roles_are_those_that_the_gate_knows() -> None:
    """A new role must be looked at: whatever is not the model's own words begins a turn."""
    assert set(Role.__args__) == {"system", "developer", "user", "assistant", "tool"}  # type: ignore[attr-defined]
