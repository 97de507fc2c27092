"""`callgate audit`: takes the audit out of the journal, and checks one that was taken out, by anybody, anywhere.

Exporting only reads, so it works while the program runs. Both answer with an exit code and what to say; saying it is
the business of the command line.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from callgate.core.errors import UserFault
from callgate.core.rules.audit import Broken, Verified, verify_lines
from callgate.engine.output_file import output_file
from callgate.store.journal import AUDIT_PAGE
from callgate.store.reading import open_for_reading
from callgate.store.tables.audit_rows import audit_lines

Said = tuple[int, str]
"""An exit code, and what the person is told."""


def export(journal: Path, out: Path | None = None) -> Said:
    """Writes the audit of a journal as lines of JSON to a file, or to standard output."""
    lines = _lines(journal)
    text = "".join(f"{line}\n" for line in lines)
    if out is None:
        _print(text)
    else:
        try:
            with output_file(out) as file:
                file.write(text.encode("ascii", "backslashreplace").decode("ascii"))
        except OSError as error:
            raise UserFault(f"{out} cannot be written: {error.strerror or error}") from error
    return _said(verify_lines(text.encode("ascii", "backslashreplace").splitlines()))


def check(file: Path, last: str = "") -> Said:
    """Tells whether an exported audit is whole, and as it was written; up to the last hash, if that was noted."""
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise UserFault(f"{file} cannot be read: {error.strerror or error}") from error
    return _said(verify_lines(lines, last.strip().lower()))


def _lines(journal: Path) -> list[str]:
    if not journal.exists():
        raise UserFault(f"There is no journal at {journal}, so nothing was decided there yet.")
    connection = open_for_reading(journal)
    try:
        return [line for page in _pages(connection) for _, line in page]
    except sqlite3.Error as error:
        raise UserFault(f"The audit cannot be read from {journal}: {error}") from error
    finally:
        connection.close()


def _pages(connection: sqlite3.Connection) -> Iterator[list[tuple[int, str]]]:
    after = 0
    while page := audit_lines(connection, after, AUDIT_PAGE):
        yield page
        after = page[-1][0]


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever reads has seen enough (`| head`); without this, closing down would complain of it a second time
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _said(found: Verified | Broken) -> Said:
    if isinstance(found, Broken):
        return 1, f"line {found.line}: {found.why}"
    entries = "1 entry" if found.count == 1 else f"{found.count} entries"
    if found.count == 0:
        return 0, f"{entries}, chain holds"
    gaps = "".join(f"\nentry {gap.sequence}: {gap.explanation}" for gap in found.gaps)
    return 0, f"{entries}, chain holds{gaps}\nlast hash: {found.last}"
