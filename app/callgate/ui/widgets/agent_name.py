"""An agent's name as the window shows it. Pure.

A proven name has a sign beside it. A claimed one has none, as that is what most names are; but where an agent of that
name has a token, and so could prove it, the claim is marked as one.
"""

from typing import Final

from callgate.core.agent import OWN_NAME, proof_words, shown_agent
from callgate.ui.text.hidden_characters import reveal_name

PROVEN_ICON: Final = "proven"
"""A key of `ICONS`; beside it always stands, for assistive technology and in the tool tip, what it means."""


def shown_name(name: str, proven: bool, registered: bool = False) -> str:
    """`registered`: whether an agent of that name has a token."""
    return shown_agent(reveal_name(name), proven, registered)


def spoken_name(name: str, proven: bool, registered: bool = False) -> str:
    """For assistive technology and tool tips."""
    return f"{reveal_name(name)}, name {proof_words(proven, registered)}"


def has_sign(name: str, proven: bool) -> bool:
    """Whether the sign of a proven name is shown; what the person does in the window needs none."""
    return proven and name != OWN_NAME


def name_tip(name: str, proven: bool, registered: bool, process: str) -> str:
    """What is known of who it is."""
    spoken = spoken_name(name, proven, registered)
    return f"{spoken}\nProcess: {reveal_name(process)}" if process else spoken
