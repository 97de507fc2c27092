"""Questions in words. Pure; knows no widgets."""

from typing import assert_never
from urllib.parse import urlsplit

from callgate.core.question import (
    Ending,
    FormQuestion,
    InputQuestion,
    LinkQuestion,
    OriginQuestion,
    Question,
    SampleQuestion,
)

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def heading(question: Question) -> str:
    """Who wants what, in one line."""
    match question:
        case FormQuestion():
            return f"“{question.source}” asks you something"
        case LinkQuestion():
            return f"“{question.source}” wants you to visit an address"
        case SampleQuestion():
            return f"“{question.source}” wants a model's words"
        case InputQuestion():
            return f"“{question.source}” needs a value to start"
        case OriginQuestion():
            return f"Allow pages of {question.source} to use Callgate?"
        case _:
            assert_never(question)


def gist(question: Question) -> str:
    """What it says, for a line that has room for little."""
    match question:
        case SampleQuestion():
            return next((message.text for message in reversed(question.messages) if message.text), "")
        case InputQuestion():
            return question.message or question.id
        case FormQuestion() | LinkQuestion():
            return question.message
        case OriginQuestion():
            return ""  # the heading says all of it
        case _:
            assert_never(question)


def ended(source: str, ending: Ending) -> str:
    """Of a question that is over and was not answered here."""
    match ending:
        case "answered":
            return f"The question of “{source}” was answered elsewhere."
        case "overdue":
            return f"The question of “{source}” timed out."
        case "withdrawn":
            return f"“{source}” does not need the answer any more."
        case "nobody" | "flood":
            return f"The question of “{source}” was declined."
        case _:
            assert_never(ending)


def where(url: str) -> str:
    """The host that an address leads to; empty = it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def doubts(url: str) -> tuple[str, ...]:
    """What speaks against opening an address."""
    try:
        parts = urlsplit(url)
        scheme, host, user = parts.scheme.lower(), parts.hostname or "", parts.username
    except ValueError:
        return ("A browser cannot open this address.",)
    if scheme not in ("http", "https") or not host:
        return ("Not a web address, so Callgate does not open it.",)
    found: list[str] = []
    if scheme == "http" and host not in _LOOPBACK:
        found.append("The connection is not encrypted: what you type there can be read on the way.")
    if user is not None:
        found.append(f"The part before the @ is not the destination: this opens {host}.")
    if host.startswith("xn--") or ".xn--" in host or not host.isascii():
        found.append("The site's name contains look-alike letters.")
    return tuple(found)


def can_open(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
