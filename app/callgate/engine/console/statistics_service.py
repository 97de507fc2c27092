"""Numbers about what has happened, for the person: counted over any stretch of time."""

from typing import Protocol

from callgate.core.catalog.statistics import Statistics, TimeRange


class StatisticsService(Protocol):
    async def count(self, asked: TimeRange) -> Statistics:
        """Everything that began within the time asked for."""
        ...

    async def first(self) -> float | None:
        """When anything happened for the first time; None = nothing has."""
        ...
