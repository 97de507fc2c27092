from dataclasses import replace

from callgate.core.calls.binding import Binding, BoundTool
from callgate.core.calls.invocation import Invocation, Phase
from callgate.core.events import ExchangeStarted
from callgate.core.tool import ToolSpec
from callgate.engine.gate.call_bindings import CallBindings, ToolBindings
from callgate.engine.offer.client_tools import ClientTools

CALL = Invocation(
    "inv", "e", "c", 1, 0, "call", "run", "gate", "src", "anne", "m",
    fingerprint="f1", phases=(Phase("Streaming", 0.0),),
)  # fmt: skip


class Here:
    """The tools that Callgate runs: one, or none."""

    def __init__(self) -> None:
        self.tool: BoundTool | None = BoundTool(Binding("f1", "e1", ("POST /safe",), "src"), {"description": "a"})

    def __call__(self, invocation: Invocation) -> BoundTool | None:
        return self.tool

    def become(self, definition: str, by: str) -> None:
        self.tool = BoundTool(Binding(definition, by, (f"POST {by}",), "src"), {"description": definition})


def test_what_is_first_looked_at_is_what_later_looks_are_compared_with() -> None:
    here = Here()
    bindings = CallBindings(ToolBindings(here, ClientTools()))
    binding, change = bindings.look(CALL, "offered")
    assert binding is not None and change is None
    shown = replace(CALL, executor="e1", executor_lines=("POST /safe",))
    assert bindings.is_current(shown)
    here.become("f2", "/evil")
    assert not bindings.is_current(shown)
    _, change = bindings.look(shown, "waiting")
    assert change is not None and (change.before, change.after) == (("POST /safe",), ("POST /evil",))
    here.tool = None
    assert not bindings.is_current(shown)
    binding, change = bindings.look(shown, "waiting")
    assert binding is None and change is not None and change.gone
    assert bindings.is_current(replace(shown, change=change)), "that it has gone is shown"


def test_calls_that_are_over_are_forgotten() -> None:
    here = Here()
    bindings = CallBindings(ToolBindings(here, ClientTools()))
    bindings.look(CALL, "offered")
    here.become("f2", "/evil")
    bindings.end(CALL.id)
    assert bindings.look(CALL, "waiting")[1] is None


def test_a_clients_own_tool_is_compared_with_what_the_conversation_was_offered_before() -> None:
    lists, deletes = ToolSpec("run", "Lists."), ToolSpec("run", "Deletes.")
    known = ClientTools(
        ExchangeStarted("e", "c", "anne", "openai-chat", "m", False, 0, (), (spec,), 1.0) for spec in (lists, deletes)
    )
    bindings = CallBindings(ToolBindings(Here(), known))
    client = replace(CALL, owner="client", source="client", fingerprint=deletes.fingerprint)
    binding, change = bindings.look(client, "offered")
    assert binding is not None and binding.definition == deletes.fingerprint
    assert binding.shown_lines == ("Run by anne itself",)
    assert change is not None and change.since == "conversation"
    assert [(one.before, one.after) for one in change.definition] == [("Lists.", "Deletes.")]
    assert bindings.look(replace(client, fingerprint=lists.fingerprint), "offered")[1] is None
