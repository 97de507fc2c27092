"""A client's request as it came in: what an exchange starts from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from callgate.core.agent import identity
from callgate.core.messages import Message
from callgate.core.request import ChatRequest


@dataclass(frozen=True, slots=True)
class Arrival:
    request: ChatRequest
    agent: str
    body: bytes = b""
    """The client's bytes; empty = there are none (the person's own messages)."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """With the client's own key for the provider, if it sent one: used where none is configured, never kept."""
    query: str = ""
    """What stood behind the path, without a key: a provider of the same wire gets it too (`beta=true`)."""
    chain: tuple[str, ...] = ()
    """`core.lineage` hashes of the request's messages, if someone had them made off the loop; empty = not yet."""
    continues: str = ""
    """The kept reply that the request went on from, where it was looked up here."""
    recalled: range = range(0)
    """Which of the request's messages were looked up, not sent."""
    pristine: bool = True
    """False: the body holds fields for Callgate itself, or its history was repaired, so it can't go on as it is."""
    repairs_history: bool = False
    """True: calls and results that do not match are put right; False: they are refused, as every provider does."""
    repairs: tuple[str, ...] = ()
    """What was put right."""
    agent_proven: bool = False
    """Whether a token proves the agent's name."""
    agent_token: str = ""
    """The id of that token."""
    agent_process: str = ""
    """The program behind the connection, where it is known."""

    @property
    def identity(self) -> str:
        """What its conversations and replies belong to."""
        return identity(self.agent, self.agent_proven)

    @property
    def sent(self) -> tuple[Message, ...]:
        """The messages that the client itself has sent."""
        return tuple(message for at, message in enumerate(self.request.messages) if at not in self.recalled)
