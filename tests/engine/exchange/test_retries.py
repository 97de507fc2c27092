from dataclasses import dataclass, replace

import orjson

from callgate.core.messages import say
from callgate.core.request import ChatRequest
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.retries import find_retried


@dataclass
class Held:
    """As much of an exchange as recognising a retry needs."""

    arrival: Arrival
    is_held: bool = True
    was_given_up: bool = True


def arrival(body: dict, agent: str = "codex", key: str = "k", wire: str = "openai-responses") -> Arrival:
    request = ChatRequest(wire, "m", (say("user", "hi"),))  # type: ignore[arg-type]
    return Arrival(request, agent, orjson.dumps(body), {"authorization": key})


def test_a_claimed_name_does_not_join_what_waits_for_the_proven_one() -> None:
    proven = replace(arrival({}), body=orjson.dumps(FIRST), agent_proven=True)
    assert find_retried(arrival(FIRST), [Held(proven)]) is None
    assert find_retried(proven, [Held(arrival(FIRST))]) is None
    held = Held(proven)
    assert find_retried(proven, [held]) is held


FIRST = {"model": "m", "input": [{"type": "message"}], "client_metadata": {"a": 1, "b": 2}}
REASONED = {"type": "reasoning", "id": "rs_1"}


def test_the_same_body_from_the_same_asker_is_a_retry_whatever_the_order_of_its_keys() -> None:
    held = Held(arrival(FIRST))
    turned = dict(reversed(FIRST.items())) | {"client_metadata": {"b": 2, "a": 1}}
    assert find_retried(arrival(turned), [held]) is held


def test_codex_adds_what_it_had_received_and_is_still_recognised() -> None:
    held = Held(arrival(FIRST))
    assert find_retried(arrival({**FIRST, "input": [*FIRST["input"], REASONED]}), [held]) is held
    more = [*FIRST["input"], {"type": "message", "role": "user"}]
    assert find_retried(arrival({**FIRST, "input": more}), [held]) is None


def test_another_asker_body_or_wire_is_no_retry_and_neither_is_one_that_nobody_holds() -> None:
    held = Held(arrival(FIRST))
    assert find_retried(arrival(FIRST, key="other"), [held]) is None
    assert find_retried(arrival(FIRST, agent="curl"), [held]) is None
    assert find_retried(arrival(FIRST, wire="openai-chat"), [held]) is None
    assert find_retried(arrival({**FIRST, "model": "n"}), [held]) is None
    assert find_retried(arrival(FIRST), [Held(arrival(FIRST), is_held=False, was_given_up=False)]) is None


def test_while_its_client_is_there_only_one_that_says_so_is_a_retry() -> None:
    """The same question asked several times at once must not get a call each for one approval."""
    held = Held(arrival(FIRST), was_given_up=False)
    assert find_retried(arrival(FIRST), [held]) is None
    counted = arrival(FIRST)
    for said, found in (("0", None), ("", None), ("1", held), ("2", held)):
        headers = {**counted.headers, "x-stainless-retry-count": said}
        assert find_retried(replace(counted, headers=headers), [held]) is found


def test_what_the_path_says_must_be_the_same_too() -> None:
    held = Held(arrival({"contents": []}, wire="gemini"))
    again = arrival({"contents": []}, wire="gemini")
    assert find_retried(again, [held]) is held
    assert find_retried(replace(again, request=replace(again.request, model="other")), [held]) is None
    assert find_retried(replace(again, request=replace(again.request, stream=True)), [held]) is None
    assert find_retried(replace(again, query="key=another"), [held]) is None
