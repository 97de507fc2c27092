"""How each verdict looks: word, colour and icon always together. Knows values, no widgets."""

from typing import Final

from callgate.core.rules.policy import VerdictKind
from callgate.ui.theme.state_look import StateLook

VERDICT_LOOKS: Final[dict[VerdictKind, StateLook]] = {
    "deny": StateLook("Deny", "denied", "denied"),
    "ask": StateLook("Ask", "waiting", "waiting"),
    "allow": StateLook("Allow", "completed", "done"),
}
"""The strictest first: that is how they beat each other."""
