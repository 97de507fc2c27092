"""Parsing the sensor log."""

import csv
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True)
class Reading:
    at: datetime
    celsius: float
    humidity: int


def read_log(path: Path) -> list[Reading]:
    """All readings of a log, oldest first."""
    with path.open(newline="", encoding="utf-8") as stream:
        rows = csv.DictReader(stream)
        return [Reading(datetime.fromisoformat(row["at"]), float(row["celsius"]), int(row["humidity"])) for row in rows]
