"""Items for whoever keeps them: the response store resolves `previous_response_id` and `item_reference` with these.

`write_items(messages)` is what a client said, `output_items(response)` what it was answered; `read_items` of both,
joined with new items, is the whole history. `check_pairs` judges it once everything has been looked up.
"""

from callgate.core.messages import Message
from callgate.wire.openai_responses.built_in import built_in_type, edit_problem, takes_words
from callgate.wire.openai_responses.listed import listed_items
from callgate.wire.openai_responses.marks import INSTRUCTIONS
from callgate.wire.openai_responses.output import output_items
from callgate.wire.openai_responses.pairing import (
    check_chained,
    check_pairs,
    has_references,
    is_reference,
    results_first,
)
from callgate.wire.openai_responses.read_items import read_items
from callgate.wire.openai_responses.tools import came_as_item
from callgate.wire.openai_responses.write_items import write_items

__all__ = [
    "built_in_type",
    "came_as_item",
    "check_chained",
    "check_pairs",
    "edit_problem",
    "has_references",
    "is_instructions",
    "is_reference",
    "listed_items",
    "output_items",
    "read_items",
    "results_first",
    "takes_words",
    "write_items",
]


def is_instructions(message: Message) -> bool:
    """True for what was said in the field `instructions`: it holds for one request and is not carried on."""
    return message.extras.get(INSTRUCTIONS) is True
