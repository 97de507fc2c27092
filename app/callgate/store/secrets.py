"""Keys of endpoints: from the environment or the system's keyring, never from a file and never into one.

A keyring may ask the person to unlock it, so every call can block: callers on a loop run it in a thread.
"""

import os
from collections.abc import Callable, Mapping
from typing import TypeVar

import keyring
import keyring.backends.fail
import keyring.backends.null
from keyring.backend import KeyringBackend
from keyring.errors import KeyringError, KeyringLocked, NoKeyringError, PasswordDeleteError

from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import UserFault

SERVICE = "callgate"

T = TypeVar("T")

_NO_RING = "This system has no keyring that Callgate can use."
_NO_KEY = "Set key_env in the configuration and give the key in that environment variable."
_NO_TOKENS = "Logins are kept nowhere else; give the server a token in its headers instead."


class Secrets:
    def __init__(
        self,
        environ: Mapping[str, str] = os.environ,
        backend: KeyringBackend | None = None,
        withdraw: Callable[[str], None] | None = None,
    ) -> None:
        """Without a backend, the system's own, looked for when it is first needed.

        `withdraw` is told which variables hold keys, so that they leave what other programs inherit.
        """
        self._environ = environ
        self._backend = backend
        self._withdraw = withdraw

    def key_for(self, settings: UpstreamSettings) -> str | None:
        """The endpoint's key; None = it has none of its own, and the client's is passed on.

        Raises `UserFault` if it should have one and it cannot be had: the client's must not be sent in its place.
        """
        if settings.key_env:
            if self._withdraw is not None:
                self._withdraw(settings.key_env)
            key = self._environ.get(settings.key_env, "").strip()
            if key:
                return key
        if settings.key == "keyring":
            stored = self._ask(lambda ring: ring.get_password(SERVICE, settings.name))
            if stored:
                return stored
            raise UserFault(
                f"The keyring has no key for the endpoint {settings.name!r}: enter it on the page Endpoints of the "
                f"window, or with `callgate keys set {settings.name}`."
            )
        if settings.key_env:
            raise UserFault(
                f"The endpoint {settings.name!r} takes its key from the environment variable {settings.key_env}, "
                f"which is not set where Callgate was started. Set it there, or keep the key in the keyring."
            )
        return None

    def store(self, name: str, key: str) -> None:
        """Keeps an endpoint's key in the keyring."""
        if not key.strip():
            raise UserFault(f"The key for the endpoint {name!r} is empty.")

        def keep(ring: KeyringBackend) -> None:
            ring.set_password(SERVICE, name, key.strip())
            # a backend that is switched off takes everything and keeps nothing
            if ring.get_password(SERVICE, name) != key.strip():
                raise NoKeyringError("it keeps nothing")

        self._ask(keep)

    def stored(self, name: str) -> str | None:
        """An endpoint's key as the keyring has it; None = it has none."""
        return self._ask(lambda ring: ring.get_password(SERVICE, name))

    def is_set(self, variable: str) -> bool:
        """Whether an environment variable holds anything."""
        return bool(self._environ.get(variable, "").strip())

    def obstacle(self) -> str:
        """Why no key can be kept here, in words; empty = there is a keyring. Asks it nothing, so that it stays shut."""
        ring = self._backend or keyring.get_keyring()
        return _NO_RING if isinstance(ring, keyring.backends.fail.Keyring | keyring.backends.null.Keyring) else ""

    def forget(self, name: str) -> None:
        """Takes an endpoint's key out of the keyring; nothing happens if it is not there."""

        def delete(ring: KeyringBackend) -> None:
            if ring.get_password(SERVICE, name) is None:
                return
            try:
                ring.delete_password(SERVICE, name)
            except PasswordDeleteError as error:
                raise UserFault(f"The keyring did not delete the key for the endpoint {name!r}: {error}") from error

        self._ask(delete)

    # ---- other secrets: logins of tool servers ----------------------------------------------------------------------

    def read(self, name: str) -> str | None:
        """What is kept under a name; None = nothing."""
        return self._ask(lambda ring: ring.get_password(SERVICE, name), _NO_TOKENS)

    def write(self, name: str, secret: str) -> None:
        self._ask(lambda ring: ring.set_password(SERVICE, name, secret), _NO_TOKENS)

    def delete(self, name: str) -> None:
        """Nothing happens if it is not there."""
        self.forget(name)

    def _ask(self, question: Callable[[KeyringBackend], T], remedy: str = _NO_KEY) -> T:
        try:
            return question(self._backend or keyring.get_keyring())
        except NoKeyringError as error:
            raise UserFault(f"{_NO_RING} {remedy}") from error
        except KeyringLocked as error:
            raise UserFault(f"The keyring is locked: unlock it and try again. ({error})") from error
        except (KeyringError, OSError, RuntimeError) as error:
            raise UserFault(f"The keyring cannot be used: {error or type(error).__name__}") from error
