"""The messages of a call are found by its request, and everything else by the ids that the request carries."""

import json
from dataclasses import dataclass

from tests.fakes.samples import NOON

from callgate.core.invocation import Invocation, Phase
from callgate.core.mcp_join import messages_of_call, method_of
from callgate.core.messages import Json


@dataclass(frozen=True)
class Frame:
    at: float
    direction: str
    text: str


def frame(at: float, direction: str, **message: Json) -> Frame:
    return Frame(NOON + at, direction, json.dumps({"jsonrpc": "2.0", **message}))


def call(ran: tuple[float, float] | None = (1, 2)) -> Invocation:
    phases = [Phase("Streaming", NOON)]
    if ran is not None:
        phases += [Phase("Executing", NOON + ran[0]), Phase("Completed", NOON + ran[1])]
    return Invocation(
        "inv_1", "ex", "conv", 1, 0, "call_1", "git__status", "gate", "git", "agent", "m",
        phases[-1].state, '{"repo": "."}', phases=tuple(phases),
    )  # fmt: skip


def asked(at: float, identity: int, name: str = "status", token: int | None = None, **arguments: Json) -> Frame:
    meta: dict[str, Json] = {} if token is None else {"_meta": {"progressToken": token}}
    params: dict[str, Json] = {"name": name, "arguments": arguments or {"repo": "."}, **meta}
    return frame(at, "out", id=identity, method="tools/call", params=params)


def test_request_progress_and_answer_are_joined() -> None:
    request = asked(1.0, 7, token=70)
    progress = frame(1.2, "in", method="notifications/progress", params={"progressToken": 70, "progress": 1})
    answer = frame(1.9, "in", id=7, result={"content": []})
    others = (
        frame(0.2, "out", id=7, method="initialize"),
        frame(1.3, "in", method="notifications/progress", params={"progressToken": 71}),
        frame(1.4, "in", id=8, result={}),
        frame(1.5, "in", method="notifications/message", params={"data": "x"}),
    )
    said = sorted((request, progress, answer, *others), key=lambda one: one.at)
    assert messages_of_call(said, call()) == (request, progress, answer)
    assert [method_of(one.text) for one in (request, progress, answer)] == [
        "tools/call",
        "notifications/progress",
        "result",
    ]


def test_an_error_and_a_cancelling_belong_to_it_too() -> None:
    said = (
        asked(1.0, 7),
        frame(1.5, "out", method="notifications/cancelled", params={"requestId": 7}),
        frame(1.6, "in", id=7, error={"code": -32000, "message": "gone"}),
    )
    assert messages_of_call(said, call()) == said and method_of(said[2].text) == "error"


def test_of_two_calls_with_the_same_arguments_the_name_decides() -> None:
    first, second = asked(1.0, 7, "log"), asked(1.01, 8, "status")
    assert messages_of_call((first, second), call()) == (second,)


def test_other_times_other_arguments_and_calls_that_never_ran_have_none() -> None:
    assert messages_of_call((asked(9.0, 7),), call()) == ()
    assert messages_of_call((asked(1.0, 7, repo="other"),), call()) == ()
    assert messages_of_call((asked(1.0, 7),), call(ran=None)) == ()
    assert messages_of_call((Frame(NOON + 1, "out", "{cut off…"), Frame(NOON + 1, "out", "[]")), call()) == ()
    assert method_of("{cut off…") == ""
