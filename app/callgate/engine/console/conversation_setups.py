"""What the person has chosen for each conversation, remembered between runs."""

from callgate.core.messages import Json
from callgate.engine.console.conversation_service import Setup
from callgate.tools.memory import Memory

MOST_KEPT = 2000
"""The oldest choice goes first: whoever returns to such a conversation chooses again."""


class ConversationSetups:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._setups = _read(memory.read())

    def get(self, conversation_id: str) -> Setup | None:
        return self._setups.get(conversation_id)

    def keep(self, conversation_id: str, setup: Setup) -> None:
        """Raises `UserFault` where it can't be written; it then holds for this run."""
        if self._setups.get(conversation_id) == setup:
            return
        self._setups.pop(conversation_id, None)
        self._setups[conversation_id] = setup
        while len(self._setups) > MOST_KEPT:
            del self._setups[next(iter(self._setups))]
        self._write()

    def forget(self, conversation_id: str) -> None:
        if self._setups.pop(conversation_id, None) is not None:
            self._write()

    def _write(self) -> None:
        self._memory.write({key: _written(setup) for key, setup in self._setups.items()})


def _written(setup: Setup) -> Json:
    return {
        "model": setup.model,
        "system": setup.system,
        "use_tools": setup.use_tools,
        "tools": list(setup.tools),
    }


def _read(value: Json) -> dict[str, Setup]:
    """Entries of another shape come from another version: they are left out, not the whole."""
    found: dict[str, Setup] = {}
    for key, entry in value.items() if isinstance(value, dict) else ():
        if not isinstance(entry, dict):
            continue
        model, system, use, tools = (entry.get(name) for name in ("model", "system", "use_tools", "tools"))
        if isinstance(model, str) and isinstance(system, str) and isinstance(use, bool) and isinstance(tools, list):
            found[key] = Setup(model, system, use, tuple(name for name in tools if isinstance(name, str)))
    return found
