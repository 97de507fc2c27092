import pytest

from callgate.core.config.settings import ServerSettings
from callgate.core.errors import Fault
from callgate.proxy.agent_path import Credential
from callgate.proxy.guard import Guard, Refused

LOCAL = {"host": "127.0.0.1:8080"}


def refusal(guard: Guard, headers: dict[str, str], key: str = "") -> str:
    with pytest.raises(Refused) as caught:
        guard.admit(headers, key, "script")
    return caught.value.fault.kind


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:8080", "localhost", "[::1]:8080"])
def test_loopback_names_are_served(host: str) -> None:
    Guard(ServerSettings()).admit({"host": host}, "", "script")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "",
        "192.168.0.7:8080",
        "evil.com@127.0.0.1",
        "127.0.0.1#.evil.com",
        "127.0.0.1, evil.com",
        "localhost.",
        "0x7f.0.0.1",
        "127.1",
        "2130706433",
        "[::ffff:127.0.0.1]",
    ],
)
def test_other_hosts_are_refused(host: str) -> None:
    assert refusal(Guard(ServerSettings()), {"host": host}) == "permission"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example"])
def test_pages_of_other_sites_are_refused(origin: str) -> None:
    assert refusal(Guard(ServerSettings()), {**LOCAL, "origin": origin}) == "permission"


@pytest.mark.parametrize("site", ["cross-site", "Cross-Site", "nonsense", "same-site", "same-origin"])
def test_a_plain_get_from_a_page_which_has_no_origin_is_refused(site: str) -> None:
    assert refusal(Guard(ServerSettings()), {**LOCAL, "sec-fetch-site": site}) == "permission"


@pytest.mark.parametrize("site", ["none", ""])
def test_an_address_that_the_person_typed_and_programs_are_served(site: str) -> None:
    Guard(ServerSettings()).admit({**LOCAL, "sec-fetch-site": site}, "", "script")


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1:8080", "http://[::1]"])
def test_a_page_of_this_machine_is_refused_unless_it_was_confirmed(origin: str) -> None:
    assert refusal(Guard(ServerSettings()), {**LOCAL, "origin": origin}) == "permission"


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ({"authorization": "Bearer t0ken"}, ""),
        ({"x-api-key": "t0ken"}, ""),
        ({"x-goog-api-key": "t0ken"}, ""),
        ({}, "t0ken"),
    ],
)
def test_the_token_is_taken_wherever_clients_put_their_key(headers: dict[str, str], key: str) -> None:
    guard = Guard(ServerSettings(token="t0ken"))
    guard.admit({**LOCAL, **headers}, key, "script")
    assert guard.cleaned({**headers, "x-other": "kept"}, key) == {"x-other": "kept"}


def test_a_wrong_or_missing_token_is_refused() -> None:
    guard = Guard(ServerSettings(token="t0ken"))
    assert refusal(guard, LOCAL) == "authentication"
    assert refusal(guard, {**LOCAL, "x-api-key": "t0ke"}) == "authentication"


def test_a_clients_own_key_goes_on() -> None:
    guard = Guard(ServerSettings())
    assert guard.cleaned({"authorization": "Bearer sk-1"}, "g-1") == {
        "authorization": "Bearer sk-1",
        "x-goog-api-key": "g-1",
    }


def test_a_flood_from_one_agent_is_refused_with_the_time_to_wait_and_others_go_on() -> None:
    now = [0.0]
    guard = Guard(ServerSettings(rate_limit="2/minute"), lambda: now[0])
    guard.admit(LOCAL, "", "a")
    guard.admit(LOCAL, "", "a")
    with pytest.raises(Refused) as caught:
        guard.admit(LOCAL, "", "a")
    assert caught.value.fault.retry_after == 30.0
    guard.admit(LOCAL, "", "b")
    now[0] = 30.0
    guard.admit(LOCAL, "", "a")


def test_no_limit_means_none() -> None:
    guard = Guard(ServerSettings(rate_limit=""))
    for _ in range(2000):
        guard.admit(LOCAL, "", "a")


@pytest.mark.parametrize("header", ["host", "origin"])
@pytest.mark.parametrize("value", ["[::1", "http://[::1", "a]b", "http://x:notaport"])
def test_a_host_or_origin_that_is_no_address_is_refused(header: str, value: str) -> None:
    headers = {"host": "localhost", header: value}
    with pytest.raises(Refused) as refused:
        Guard(ServerSettings()).admit(headers, "", "script")
    assert refused.value.fault.kind == "permission"


def test_agents_that_were_quiet_for_long_are_not_remembered() -> None:
    now = 0.0
    guard = Guard(ServerSettings(rate_limit="2/second"), lambda: now)
    for number in range(5000):
        guard.admit({"host": "localhost"}, "", f"agent {number}")
        now += 0.01
    assert len(guard) < 2000
    guard.admit({"host": "localhost"}, "", "busy")
    guard.admit({"host": "localhost"}, "", "busy")
    with pytest.raises(Refused):
        guard.admit({"host": "localhost"}, "", "busy")


def test_a_valid_agent_token_is_enough_and_counts_for_itself() -> None:
    guard = Guard(ServerSettings(token="t0ken", rate_limit="2/minute"), lambda: 0.0)
    for token_id in ("one", "two"):
        for _ in range(2):
            guard.admit(LOCAL, "", "pid 7", credential=Credential("codex", token_id))
        with pytest.raises(Refused) as refused:
            guard.admit(LOCAL, "", "pid 8", credential=Credential("codex", token_id))
        assert refused.value.fault.kind == "rate_limit"


def test_a_credential_with_a_fault_is_refused_after_the_host_is_known_to_be_ours() -> None:
    wrong = Credential(fault=Fault("authentication", "revoked"))
    guard = Guard(ServerSettings())
    for headers, kind in ((LOCAL, "authentication"), ({"host": "evil.example"}, "permission")):
        with pytest.raises(Refused) as refused:
            guard.admit(headers, "", "pid 7", credential=wrong)
        assert refused.value.fault.kind == kind


def test_the_table_of_senders_is_bounded_even_if_all_come_at_once() -> None:
    guard = Guard(ServerSettings(rate_limit="2/hour"), lambda: 0.0)
    for number in range(3000):
        guard.admit(LOCAL, "", f"pid {number}")
    assert len(guard) <= 1000
