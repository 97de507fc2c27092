"""Thought signatures: whose they are, and who may see them."""

import base64

from callgate.wire.signature_envelope import PREFIX, is_sealed

WIRE = "gemini"
SKIP = "skip_thought_signature_validator"
"""What the provider takes in place of a signature that is lost or never was; its documented last resort."""

_URL_SAFE = str.maketrans("-_", "+/")


def signature_wire(signature: str) -> str:
    """Whose proof it is: an empty one nobody's, an envelope some other provider's."""
    return WIRE if signature and not is_sealed(signature) else ""


def own_signature(signature: str, wire: str) -> str:
    """What a client may be shown as a signature: this wire's proof or our envelope, never another provider's."""
    if signature.startswith(PREFIX):
        return base64.b64encode(signature.encode()).decode()  # Google's Python client fails on what is no base64
    return signature if wire == WIRE or is_sealed(signature) else ""


def same_proof(signature: str) -> str:
    """One spelling for all of a signature's: clients decode it and encode it again in another alphabet."""
    return signature.translate(_URL_SAFE).rstrip("=")
