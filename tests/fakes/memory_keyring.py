"""A keyring for one test."""

from collections.abc import Iterator
from contextlib import contextmanager

import keyring
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError


class MemoryKeyring(KeyringBackend):
    """A real backend in all but permanence."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    @property
    def endpoint_keys(self) -> dict[tuple[str, str], str]:
        """Without the key of accepted files, which has a name that no endpoint can have."""
        return {name: key for name, key in self.kept.items() if " " not in name[1]}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.kept:
            raise PasswordDeleteError("not found")
        del self.kept[service, username]


@contextmanager
def system_keyring(ring: KeyringBackend) -> Iterator[None]:
    """What the whole program takes for the system's own, as long as the context lasts."""
    before = keyring.get_keyring()
    keyring.set_keyring(ring)
    try:
        yield
    finally:
        keyring.set_keyring(before)
