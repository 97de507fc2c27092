"""Keys come from the environment or the keyring, and their absence is said clearly."""

import keyring.backends.fail
import keyring.backends.null
import pytest
from keyring.errors import KeyringLocked
from tests.fakes.memory_keyring import MemoryKeyring

from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import UserFault
from callgate.store.secrets import SERVICE, Secrets


class LockedKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("the collection is locked")


class BrokenKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise OSError("no bus")


def endpoint(**more: str) -> UpstreamSettings:
    return UpstreamSettings.model_validate({"name": "openai", "wire": "openai-chat", "base_url": "https://h", **more})


def test_a_key_is_taken_from_the_named_variable_without_its_line_end() -> None:
    assert Secrets({"MY_KEY": "sk-1\n"}).key_for(endpoint(key_env="MY_KEY")) == "sk-1"


@pytest.mark.parametrize("environ", [{}, {"MY_KEY": ""}, {"MY_KEY": "  "}])
def test_a_named_variable_that_is_not_set_is_said_with_its_name(environ: dict[str, str]) -> None:
    with pytest.raises(UserFault, match="MY_KEY, which is not set"):
        Secrets(environ).key_for(endpoint(key_env="MY_KEY"))


def test_an_endpoint_that_names_no_key_has_none() -> None:
    assert Secrets({"OPENAI_API_KEY": "sk-1"}).key_for(endpoint()) is None


def test_a_stored_key_is_found_again_under_the_endpoints_name() -> None:
    ring = MemoryKeyring()
    secrets = Secrets({}, ring)
    secrets.store("openai", " sk-2 ")
    assert ring.kept == {(SERVICE, "openai"): "sk-2"}
    assert secrets.key_for(endpoint(key="keyring")) == "sk-2"


def test_the_environment_goes_before_the_keyring() -> None:
    ring = MemoryKeyring()
    ring.set_password(SERVICE, "openai", "from the ring")
    both = endpoint(key_env="MY_KEY", key="keyring")
    assert Secrets({"MY_KEY": "from the environment"}, ring).key_for(both) == "from the environment"
    assert Secrets({}, ring).key_for(both) == "from the ring"


def test_a_key_that_was_never_stored_is_said_with_the_endpoints_name() -> None:
    with pytest.raises(UserFault, match=r"no key for the endpoint 'openai'.*page Endpoints.*callgate keys set openai"):
        Secrets({}, MemoryKeyring()).key_for(endpoint(key="keyring"))


def test_a_forgotten_key_is_gone_and_forgetting_twice_is_harmless() -> None:
    ring = MemoryKeyring()
    secrets = Secrets({}, ring)
    secrets.store("openai", "sk-3")
    secrets.forget("openai")
    secrets.forget("openai")
    assert ring.kept == {}


def test_an_empty_key_is_not_stored() -> None:
    with pytest.raises(UserFault, match="is empty"):
        Secrets({}, MemoryKeyring()).store("openai", " ")


def test_a_missing_keyring_is_said_with_the_way_out() -> None:
    secrets = Secrets({}, keyring.backends.fail.Keyring())
    with pytest.raises(UserFault, match=r"no keyring that Callgate can use.*key_env"):
        secrets.key_for(endpoint(key="keyring"))
    with pytest.raises(UserFault, match="no keyring"):
        secrets.store("openai", "sk-4")


def test_a_locked_keyring_is_said() -> None:
    with pytest.raises(UserFault, match="is locked: unlock it"):
        Secrets({}, LockedKeyring()).key_for(endpoint(key="keyring"))


def test_a_broken_keyring_is_said() -> None:
    with pytest.raises(UserFault, match="cannot be used: no bus"):
        Secrets({}, BrokenKeyring()).key_for(endpoint(key="keyring"))


def test_no_message_repeats_a_key() -> None:
    secrets = Secrets({}, keyring.backends.fail.Keyring())
    with pytest.raises(UserFault) as caught:
        secrets.store("openai", "sk-never-shown")
    assert "sk-never-shown" not in str(caught.value)


def test_a_keyring_that_keeps_nothing_is_found_out() -> None:
    secrets = Secrets({}, keyring.backends.null.Keyring())
    assert "no keyring" in secrets.obstacle()
    with pytest.raises(UserFault, match="no keyring that Callgate can use"):
        secrets.store("openai", "sk-5")


def test_whether_there_is_a_keyring_is_known_without_opening_it() -> None:
    assert "no keyring" in Secrets({}, keyring.backends.fail.Keyring()).obstacle()
    assert Secrets({}, LockedKeyring()).obstacle() == ""


def test_what_is_kept_can_be_read_back_for_an_undo() -> None:
    secrets = Secrets({}, MemoryKeyring())
    assert secrets.stored("openai") is None
    secrets.store("openai", "sk-6")
    assert secrets.stored("openai") == "sk-6"


@pytest.mark.parametrize(("environ", "is_set"), [({"A": "x"}, True), ({"A": " "}, False), ({}, False)])
def test_a_variable_counts_as_set_if_it_holds_anything(environ: dict[str, str], is_set: bool) -> None:
    assert Secrets(environ).is_set("A") is is_set
