import asyncio

from callgate.proxy.mcp_server import Heartbeat


def test_silence_is_filled_and_progress_always_grows() -> None:
    sent: list[tuple[float, float | None, str | None]] = []
    beaten = asyncio.Event()

    async def send(done: float, total: float | None, message: str | None) -> None:
        sent.append((done, total, message))
        if len(sent) == 3:
            beaten.set()

    async def work() -> None:
        heart = Heartbeat(send, seconds=0.01)
        heart.report("waiting", None, None)
        beating = asyncio.ensure_future(heart.beat())
        await asyncio.wait_for(beaten.wait(), 5)
        heart.report("", 0.5, 2.0)
        heart.report("back", 0.1, 2.0)
        heart.end()
        await asyncio.wait_for(beating, 5)

    asyncio.run(work())
    values = [done for done, _, _ in sent]
    assert values == sorted(set(values))
    assert [message for _, _, message in sent[:3]] == ["waiting"] * 3
    assert sent[-2] == (0.5, 2.0, "waiting")
    assert sent[-1][1:] == (2.0, "back")
