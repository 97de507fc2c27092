"""Thought signatures: whose they are, and who may see them."""

WIRE = "gemini"
ENVELOPE = "cg1."
"""How a signature of Callgate's own begins: it carries another provider's proof through a client of this wire."""
SKIP = "skip_thought_signature_validator"
"""What the provider takes in place of a signature that is lost or never was; its documented last resort."""


def signature_wire(signature: str) -> str:
    """Whose proof it is: an empty one nobody's, an envelope some other provider's."""
    return WIRE if signature and not signature.startswith(ENVELOPE) else ""


def own_signature(signature: str, wire: str) -> str:
    """What a client may be shown as a signature: this wire's proof or our envelope, never another provider's."""
    return signature if wire == WIRE or signature.startswith(ENVELOPE) else ""
