"""A keyring for one test; `locked` makes every question fail as a system without one does."""

from dataclasses import dataclass, field

from callgate.core.errors import UserFault


@dataclass
class SecretShelf:
    kept: dict[str, str] = field(default_factory=dict)
    locked: bool = False

    def read(self, name: str) -> str | None:
        self._check()
        return self.kept.get(name)

    def write(self, name: str, secret: str) -> None:
        self._check()
        self.kept[name] = secret

    def delete(self, name: str) -> None:
        self._check()
        self.kept.pop(name, None)

    def _check(self) -> None:
        if self.locked:
            raise UserFault("This system has no keyring that Callgate can use.")
