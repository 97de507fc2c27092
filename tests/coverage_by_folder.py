"""How much of each folder of the program a run of the tests executed; fails where that is too little.

Usage: python -m tests.coverage_by_folder REPORT, as `coverage json` writes it.
"""

import sys
from collections import defaultdict
from pathlib import Path, PurePath
from typing import Final

import orjson

FLOOR: Final = 85.0
"""Percent of the lines of a folder."""


def by_folder(report: bytes) -> dict[str, tuple[int, int]]:
    """Folder → lines that were run, lines there are. A folder within a folder of the package counts to that."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, file in orjson.loads(report)["files"].items():
        inside = PurePath(name).parts[PurePath(name).parts.index("callgate") :]
        counts = found["/".join(inside[:-1][:2])]
        counts[0] += file["summary"]["covered_lines"]
        counts[1] += file["summary"]["num_statements"]
    return {folder: (run, all_) for folder, (run, all_) in sorted(found.items())}


def main(path: str) -> int:
    """Prints the table; 1 = a folder is below the floor."""
    low = 0
    for folder, (run, there) in by_folder(Path(path).read_bytes()).items():
        percent = 100 * run / there if there else 100.0
        low += percent < FLOOR
        print(f"{folder:32}{run:7} of {there:6}{percent:7.1f} %{'  too little' if percent < FLOOR else ''}")
    print(f"{low} folders below {FLOOR:.0f} %" if low else f"Each folder has at least {FLOOR:.0f} %.")
    return int(low > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
