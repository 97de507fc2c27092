"""When to try again: any wording of it is understood, and none brings a client or the proxy down."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from callgate.core.errors import Fault
from callgate.core.json.text import dump_bytes
from callgate.core.request import WireName
from callgate.wire.registry import CODECS
from callgate.wire.retry_hint import hinted_seconds, seconds_in, whole_seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "12"}, 12.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "500", "retry-after": "1"}, 0.5),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({}, None),
        *(({"retry-after": said}, None) for said in ("soon", "-3", "nan", "inf", "1e400", "", "9" * 400)),
    ],
)
def test_a_hint_is_read_in_seconds_and_nonsense_is_none(headers: dict[str, str], seconds: float | None) -> None:
    assert hinted_seconds(headers) == seconds


def test_a_date_is_as_far_away_as_it_is() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 20 < (hinted_seconds({"retry-after": later}) or 0) <= 30


def test_googles_spans_are_read() -> None:
    assert (seconds_in("34s"), seconds_in("0.5s"), seconds_in("s")) == (34.0, 0.5, None)


def test_no_client_is_told_to_come_back_too_early() -> None:
    assert (whole_seconds(0.2), whole_seconds(7.0)) == ("1", "7")


@pytest.mark.parametrize("wire", CODECS)
def test_a_long_wait_is_written_in_digits_that_clients_can_read(wire: WireName) -> None:
    written = CODECS[wire].write_error(Fault("rate_limit", "slow", retry_after=2_303_681_974.25))
    assert written.headers["retry-after"] == "2303681975"
    assert "e+" not in str(written.body)


@pytest.mark.parametrize("wire", CODECS)
@pytest.mark.parametrize("listed", [False, True])
def test_googles_own_errors_are_understood_on_every_wire_that_its_gateways_speak(wire: WireName, listed: bool) -> None:
    """Claude on Vertex speaks Anthropic's wire, and refuses in Google's words."""
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}]
    error = {"error": {"code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED", "details": details}}
    fault = CODECS[wire].read_error(429, dump_bytes([error] if listed else error), {})
    assert (fault.kind, fault.message, fault.retry_after) == ("rate_limit", "Quota exceeded", 34.0)


@pytest.mark.parametrize("wire", CODECS)
def test_frameworks_say_it_in_a_detail(wire: WireName) -> None:
    assert CODECS[wire].read_error(404, b'{"detail":"Not Found"}', {}).message == "Not Found"
