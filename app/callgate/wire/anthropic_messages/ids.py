"""Ids of calls as this wire demands them: a narrow charset, and unique in the conversation.

A valid, unique id is never changed, so that what a client was handed is what comes back.
"""

import hashlib
import re
from collections import defaultdict, deque

_FITTING = re.compile(r"[a-zA-Z0-9_-]+")
_MESSAGE = re.compile(r"msg_[a-zA-Z0-9_-]+")


def fit_id(id: str) -> str:
    """The id itself if it fits, else always the same stand-in: calls and results agree without a table."""
    if _FITTING.fullmatch(id):
        return id
    return f"call_{hashlib.sha256(id.encode('utf-8', 'replace')).hexdigest()[:24]}"


def is_message_id(id: str) -> bool:
    return _MESSAGE.fullmatch(id) is not None


class CallIds:
    """Ids of one history, in order. Some servers repeat an id in every round: the n-th one becomes `id_dN`."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._waiting: defaultdict[str, deque[str]] = defaultdict(deque)

    def new_turn(self) -> None:
        """The assistant speaks again: calls left unanswered are no longer meant by later results."""
        self._waiting.clear()

    def call(self, id: str) -> str:
        fitting = unique = fit_id(id)
        count = 1
        while unique in self._used:
            count += 1
            unique = f"{fitting}_d{count}"
        self._used.add(unique)
        self._waiting[fitting].append(unique)
        return unique

    def result(self, id: str) -> str:
        """The oldest call with this id that has no result yet."""
        fitting = fit_id(id)
        waiting = self._waiting[fitting]
        return waiting.popleft() if waiting else fitting
