"""The daily report."""

import sys
from collections import defaultdict
from pathlib import Path

from station.readings import Reading, read_log


def daily_means(readings: list[Reading]) -> dict[str, float]:
    """Mean temperature of each day."""
    # TODO: weigh readings by the time between them
    days: dict[str, list[float]] = defaultdict(list)
    for reading in readings:
        days[reading.at.date().isoformat()].append(reading.celsius)
    return {day: sum(values) / len(values) for day, values in days.items()}


if __name__ == "__main__":
    for day, mean in daily_means(read_log(Path(sys.argv[1]))).items():
        print(f"{day}  {mean:.1f} °C")
