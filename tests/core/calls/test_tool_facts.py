"""What is known of a call's tool, and that it is that tool's, whatever others are named."""

from dataclasses import replace

import pytest

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import CommandPreview, DiffPreview
from callgate.core.calls.tool_facts import Fact, FactKind, declared_in, defined_by, facts_of, tool_of
from callgate.core.tool import CLIENT_SOURCE, Annotations, HostedTool, Tool, ToolSpec

READS = Tool("read_file", "built-in", annotations=Annotations(read_only=True, open_world=False))
OTHER = Tool("read_file", "files", annotations=Annotations(destructive=True))
WALL = "Sandbox: bubblewrap · writes only to the workspace · no network"


def call(owner: str = "gate", source: str = "built-in", **more: object) -> Invocation:
    made = Invocation("i", "e", "c", 1, 0, "k", "read_file", "gate", source, "agent", "model")
    return replace(made, owner=owner, **more)  # type: ignore[arg-type]


def kinds(facts: tuple[Fact, ...]) -> list[FactKind]:
    return [fact.kind for fact in facts]


def test_a_tool_is_found_by_owner_and_source_never_by_its_name_alone() -> None:
    tools = (READS, OTHER)
    assert tool_of(call(), tools) is READS
    assert tool_of(call(source="files"), tools) is OTHER
    assert tool_of(call("client", CLIENT_SOURCE), tools) is None, "an agent's own"
    assert tool_of(call(source="gone"), tools) is None
    offered = call("client", "built-in")
    assert tool_of(offered, tools) is None, "offered by Callgate, but the agent runs it"
    assert defined_by(offered, tools) is READS, "its schema is the catalog's all the same"


def test_nothing_that_a_namesake_declares_is_said_of_an_agents_own_tool() -> None:
    own = call("client", CLIENT_SOURCE)
    for found in (None, READS):
        known = facts_of(own, found, ToolSpec("read_file"), None)
        assert (known.declared, known.observed) == ((), ())
        assert [fact.words for fact in known.unknown] == ["Unknown: runs in the agent, where Callgate cannot see it"]
    hosted = facts_of(own, None, HostedTool("anthropic", {"type": "bash_20250124", "name": "read_file"}))
    assert [fact.words for fact in hosted.declared] == ["Defined by the model provider"]
    assert kinds(hosted.unknown) == ["in_agent"]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Annotations(), []),
        (Annotations(read_only=True, destructive=False, idempotent=True), ["Declared read-only"]),
        (Annotations(read_only=False), ["Declared to change things"]),
        (Annotations(read_only=False, destructive=False), ["Declared not destructive"]),
        (Annotations(destructive=True, idempotent=True), ["Declared destructive", "Declared safe to repeat"]),
        (Annotations(read_only=True, destructive=True), ["Declared destructive"]),
        (Annotations(read_only=True, open_world=True), ["Declared read-only", "Declared to reach other systems"]),
    ],
)
def test_what_annotations_claim_is_called_declared(said: Annotations, words: list[str]) -> None:
    assert [fact.words for fact in declared_in(said)] == words


def test_what_is_not_declared_is_unknown_and_so_is_a_contradiction() -> None:
    unsaid = facts_of(call(), replace(READS, annotations=Annotations()))
    assert [fact.words for fact in unsaid.unknown] == ["Unknown whether it changes anything"]
    both = facts_of(call(), replace(READS, annotations=Annotations(read_only=True, destructive=True)))
    assert kinds(both.unknown) == ["contradiction"]
    assert kinds(facts_of(call(), None).unknown) == ["gone"]
    assert facts_of(call(), READS).unknown == ()


def test_what_callgate_does_or_has_seen_itself_is_observed() -> None:
    diff = DiffPreview("a", "old", "new", state="s")
    seen = facts_of(call(preview=diff), replace(READS, undoable=True), None, diff)
    assert [fact.words for fact in seen.observed] == ["Observed: the exact change is shown", "Observed: undo available"]
    assert facts_of(call(), READS, None, replace(diff, fragment=True)).observed == (), "only what the arguments say"
    assert facts_of(call(), READS, None, CommandPreview("ls")).observed == ()


def test_a_wall_is_observed_and_one_without_network_takes_back_what_is_declared_of_it() -> None:
    reaching = replace(READS, annotations=Annotations(destructive=True, open_world=True))
    offline = facts_of(call(wall=WALL), reaching)
    assert (kinds(offline.declared), kinds(offline.observed)) == (["destructive"], ["wall"])
    online = facts_of(call(wall=WALL.replace("no network", "network allowed")), reaching)
    assert kinds(online.declared) == ["destructive", "open_world"]
