"""Gemini's proof for a call, where Google's compatible service puts it: `extra_content.google.thought_signature`."""

from callgate.core.messages import Json

SIGNER = "gemini"
"""The wire whose provider made it, and which alone can use it."""


def read_signature(extra_content: Json) -> str:
    match extra_content:
        case {"google": {"thought_signature": str(signature)}}:
            return signature
        case _:
            return ""


def write_signature(signature: str) -> Json:
    return {"google": {"thought_signature": signature}}
