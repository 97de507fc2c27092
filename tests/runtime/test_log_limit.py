import io
import logging
import subprocess
import sys
from collections.abc import Callable

from callgate.runtime.log_limit import BoundedHandler

FLOOD = """
import logging
from callgate.runtime.log_limit import BoundedHandler
logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s", handlers=[BoundedHandler()])
for number in range(5000):
    logging.getLogger("door").warning("no room for %s", number)
logging.getLogger("door").warning("another matter")
"""


def logger_with(per_minute: int, clock: Callable[[], float]) -> tuple[logging.Logger, io.StringIO]:
    logger, written = logging.Logger("door"), io.StringIO()
    logger.addHandler(BoundedHandler(written, per_minute=per_minute, clock=clock))
    return logger, written


def test_a_message_that_repeats_is_bounded_and_counted_and_others_pass() -> None:
    now = [0.0]
    logger, written = logger_with(3, lambda: now[0])
    for number in range(1237):
        logger.warning("no room for %s", number)
    logger.warning("another matter")
    assert written.getvalue().splitlines() == ["no room for 0", "no room for 1", "no room for 2", "another matter"]
    now[0] = 61.0
    logger.warning("quiet again")
    assert written.getvalue().splitlines()[4:] == ["… repeated 1,234 times more: door: no room for %s", "quiet again"]


def test_the_next_minute_begins_anew() -> None:
    now = [0.0]
    logger, written = logger_with(1, lambda: now[0])
    for moment in (0.0, 1.0, 61.0, 62.0):
        now[0] = moment
        logger.warning("again")
    assert written.getvalue().splitlines() == ["again", "… repeated once more: door: again", "again"]


def test_messages_that_are_made_up_one_by_one_are_bounded_together() -> None:
    logger, written = logger_with(5, lambda: 0.0)
    for number in range(20_000):
        logger.warning(f"made up {number}")
    assert len(written.getvalue().splitlines()) < 600


def test_a_program_says_at_its_end_what_it_left_out() -> None:
    ran = subprocess.run([sys.executable, "-c", FLOOD], capture_output=True, text=True, timeout=30, check=True)
    lines = ran.stderr.splitlines()
    assert len(lines) < 30
    assert "door: another matter" in lines
    assert "… repeated 4,980 times more: door: no room for %s" in lines
