from callgate.tools.mcp_source.status import LONGEST_DELAY_SECONDS, MOST_TRIES, STEADY_SECONDS, Backoff


def test_each_failure_in_a_row_doubles_the_wait_up_to_a_limit() -> None:
    backoff = Backoff()
    delays = [backoff.failed(0.0) for _ in range(10)]
    assert delays[:4] == [0.5, 1.0, 2.0, 4.0]
    assert delays[-1] == LONGEST_DELAY_SECONDS


def test_being_up_for_a_while_starts_the_row_anew() -> None:
    backoff = Backoff()
    for _ in range(MOST_TRIES):
        backoff.failed(0.0)
    assert backoff.exhausted
    assert backoff.failed(STEADY_SECONDS) == 0.5
    assert not backoff.exhausted
