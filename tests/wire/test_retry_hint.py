"""Whatever a provider says of asking again becomes seconds, or nothing."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from callgate.wire.retry_hint import retry_after, seconds, spelled


def test_milliseconds_say_more_than_seconds_and_names_are_read_in_any_case() -> None:
    assert retry_after({"Retry-After": "3"}) == 3
    assert retry_after({"retry-after": "0.5 "}) == 0.5
    assert retry_after({"Retry-After-Ms": "250", "retry-after": "3"}) == 0.25
    assert retry_after({}) is None


@pytest.mark.parametrize("said", ["nan", "inf", "-inf", "1e400", "-5", "soon", "", "Wed, 99 Foo"])
def test_what_nobody_could_wait_for_is_nothing(said: str) -> None:
    assert retry_after({"retry-after": said}) is None
    assert retry_after({"retry-after-ms": said}) is None
    assert seconds(said) is None


def test_a_date_is_the_time_until_then() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    assert 90 < (retry_after({"retry-after": later}) or 0) <= 100
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0


def test_seconds_are_spelled_without_an_exponent() -> None:
    assert [spelled(number) for number in (0.0, 34.0, 1.5, 0.0321412, 2.3e9)] == [
        "0",
        "34",
        "1.5",
        "0.032",
        "2300000000",
    ]
