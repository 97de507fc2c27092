"""Who makes a request: a name, and whether a token proves it.

Any program on this machine can claim any name. A claimed name is good for showing, searching and counting, and for
rules that restrict. What a name gives (rules that allow, conversations, stored replies) needs proof: a token that the
person made for that agent. Pure.
"""

import re
from dataclasses import dataclass

NAME = re.compile(r"[A-Za-z][\w.+ -]{0,39}")
"""What a program may call itself."""
OWN_NAME = "callgate"
"""The agent of what the person does in the window; no program may claim it."""
TOKEN_PREFIX = "cg_"
_REGISTERED_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]{0,39}")
"""ASCII and no spaces: a registered name must not look like another one."""


@dataclass(frozen=True, slots=True)
class Agent:
    name: str
    proven: bool = False
    """True: a token that the person made for this name came with the request."""
    process: str = ""
    """The program behind the connection, `python3 · pid 4211`; empty = not known."""
    token_id: str = ""
    """Of the token that proves the name: what a revocation ends."""

    @property
    def identity(self) -> str:
        return identity(self.name, self.proven)


def identity(name: str, proven: bool) -> str:
    """A key that a claimed name never shares with a proven one: no name begins with the sign in it."""
    return f"={name}" if proven else name


def stored_identity(name: str, proven: bool) -> str:
    """Of an exchange in the journal: earlier versions did not say that the person's own messages are hers."""
    return identity(name, proven or name == OWN_NAME)


def may_continue(owner: str, asker: str) -> bool:
    """Whether one identity may go on from what belongs to another, referring to it by an id.

    What a proven agent said is its own; what was said under a claimed name was never protected from anyone.
    """
    return owner == asker or not owner.startswith("=")


def name_problem(name: str) -> str:
    """Why a token can't be made for this name; empty = it can."""
    if name == OWN_NAME or name == "unknown":
        return f"The name {name} is Callgate's own."
    if not _REGISTERED_NAME.fullmatch(name):
        return "An agent's name is 1 to 40 letters, digits, and . _ + -, and begins with a letter."
    return ""


def shown_agent(name: str, proven: bool, registered: bool) -> str:
    """A name as text. A claim is marked where the name belongs to an agent that can prove it."""
    return f"{name} (claimed)" if registered and not proven else name


def proof_words(proven: bool, registered: bool = False) -> str:
    """What is known of a name, for tooltips and assistive technology."""
    if proven:
        return "proven by its token"
    return "claimed without the token that this agent has" if registered else "claimed, not proven by a token"
