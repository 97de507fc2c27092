"""A call's time runs only while nobody is asked."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from callgate.tools.time_limit import TimeLimit


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 5))


def test_the_time_is_up() -> None:
    async def work() -> None:
        limit = TimeLimit(0.01)
        with pytest.raises(TimeoutError):
            async with limit:
                await asyncio.sleep(4)
        assert limit.expired

    run(work())


def test_waiting_for_a_person_does_not_count_however_often_it_is_nested() -> None:
    async def work() -> None:
        limit = TimeLimit(0.05)
        async with limit:
            with limit.hold(), limit.hold():
                await asyncio.sleep(0.15)
        assert not limit.expired

    run(work())


def test_afterwards_the_rest_of_the_time_counts_again() -> None:
    async def work() -> None:
        limit = TimeLimit(0.05)
        with pytest.raises(TimeoutError):
            async with limit:
                with limit.hold():
                    await asyncio.sleep(0.1)
                await asyncio.sleep(4)

    run(work())


def test_a_hold_that_outlives_the_call_does_no_harm() -> None:
    async def work() -> None:
        limit = TimeLimit(1)
        async with limit:
            hold = limit.hold()
            hold.__enter__()
        hold.__exit__(None, None, None)
        with limit.hold():
            assert not limit.expired

    run(work())
