"""Keys come from the environment or the keyring, and their absence is said clearly."""

import keyring.backends.fail
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError

from callgate.core.errors import UserFault
from callgate.core.settings import UpstreamSettings
from callgate.store.secrets import SERVICE, Secrets


class MemoryKeyring(KeyringBackend):
    """A real backend in all but permanence."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.kept:
            raise PasswordDeleteError("not found")
        del self.kept[service, username]


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
    with pytest.raises(UserFault, match="no key for the endpoint 'openai'"):
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
