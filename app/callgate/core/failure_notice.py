"""Why there is no answer, in words: for a client that has been promised one.

A plain answer that is held is kept alive from its first moment on, and with that its status is spent. A failure that
comes later can only be told inside an answer, and must not be taken for one: it is marked, and it ends abnormally.
"""

import math

from callgate.core.errors import Fault
from callgate.core.messages import Message, Text, Usage
from callgate.core.request import ChatResponse, Choice

MARK = "Callgate: there is no answer to this request. "
"""What every notice begins with."""


def failure_notice(fault: Fault) -> str:
    said = fault.message.strip() or "no reason was given"
    cause = f"The provider answered with status {fault.status}: {said}" if fault.status else said[:1].upper() + said[1:]
    if cause[-1:] not in ".!?…":
        cause += "."
    if fault.retry_after is not None:
        cause += f" It may be asked again in {math.ceil(fault.retry_after)} s."
    return MARK + cause


def broken_reply(fault: Fault, said: ChatResponse, detail: str = "") -> ChatResponse:
    """What had been said, and why nothing follows. Calls are left out: nobody may act on a reply that failed."""
    words = said.choices[0].message.text if said.choices else ""
    text = "\n\n".join(part for part in (words, failure_notice(fault)) if part)
    choice = Choice(Message("assistant", (Text(text),)), "content_filter", detail)
    # many programs count tokens without looking whether there are any
    return ChatResponse(said.id, said.model, (choice,), said.usage or Usage(), said.created)
