"""What clients of this wire say in fields that other wires lack."""

from callgate.core.messages import Extras
from callgate.wire.call_ids import NO_ID
from callgate.wire.ollama_chat.read_messages import NO_NAME
from callgate.wire.request_fields import RequestFields, count_of


def _logprobs(extras: Extras) -> int | None:
    return count_of(extras.get("top_logprobs")) if extras.get("logprobs") is True else None


_OF_THE_MACHINE = (
    "num_ctx",
    "num_batch",
    "num_gpu",
    "main_gpu",
    "num_thread",
    "num_keep",
    "numa",
    "use_mmap",
    "use_mlock",
    "low_vram",
)
"""How a local server should use its machine; another provider has its own ways."""

FIELDS = RequestFields(
    heeded=("think", "num_predict", *(f"options.{name}" for name in _OF_THE_MACHINE)),
    of_no_weight={
        NO_ID: "how a call was encoded",
        NO_NAME: "how a result was encoded",
        "index": "where a call stood in its turn",
        "keep_alive": "how long a local server keeps a model in memory",
    },
    logprobs=_logprobs,
)
