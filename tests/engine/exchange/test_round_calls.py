import asyncio

from callgate.core.calls.invocation import Invocation
from callgate.engine.exchange.round_calls import RoundCalls


def call(number: int, state: str) -> Invocation:
    return Invocation(
        f"inv_{number}", "e", "c", 1, number, f"call_{number}", "f", "client", "client", "a", "m",
        state,  # type: ignore[arg-type]
    )  # fmt: skip


def test_calls_that_nobody_handles_were_never_ended() -> None:
    async def scenario() -> None:
        async def settle() -> Invocation:
            return call(0, "Released")

        calls = RoundCalls({(0, 0): "inv_0", (0, 1): "inv_1"})
        calls.handling[0, 0] = asyncio.ensure_future(settle())
        assert calls.unfinished == {(0, 1)}
        await calls.handling[0, 0]

    asyncio.run(scenario())


def test_only_released_calls_are_the_clients() -> None:
    calls = RoundCalls(
        settled={(0, 0): call(0, "Released"), (0, 1): call(1, "Completed"), (0, 2): call(2, "Cancelled")}
    )
    assert calls.released == {(0, 0)}
