"""Times in files are moments in rules, and back."""

import pytest

from callgate.store.files.expiry import read_expiry, write_expiry


@pytest.mark.parametrize("text", ["2030-01-01T00:00:00Z", "2030-01-01T01:00:00+01:00", "2030-01-01 00:00+00:00"])
def test_iso_times_are_read_as_moments(text: str) -> None:
    assert read_expiry(text) == 1893456000.0


def test_nothing_means_never() -> None:
    assert read_expiry("") is None


@pytest.mark.parametrize("text", ["tomorrow", "2030-13-01", "12", "0001-01-01"])
def test_what_is_no_usable_time_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(ValueError, match="expected a time such as"):
        read_expiry(text + "T00:00:00" if text == "0001-01-01" else text)


@pytest.mark.parametrize("moment", [0.0, 1893456000.0, 1893456000.123456])
def test_a_moment_comes_back_as_it_was(moment: float) -> None:
    assert read_expiry(write_expiry(moment)) == moment
