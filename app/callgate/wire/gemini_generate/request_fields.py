"""What clients of this wire say in fields that other wires lack."""

from callgate.core.messages import Extras
from callgate.wire.request_fields import RequestFields, count_of


def _logprobs(extras: Extras) -> int | None:
    config = extras.get("generationConfig")
    if not isinstance(config, dict) or config.get("responseLogprobs") is not True:
        return None
    return count_of(config.get("logprobs"))


FIELDS = RequestFields(
    refused=("cachedContent",),
    heeded=(
        *(f"toolConfig.functionCallingConfig.{name}" for name in ("mode", "allowedFunctionNames")),
        *(
            f"generationConfig.{name}"
            for name in ("responseMimeType", "responseSchema", "responseJsonSchema", "responseFormat")
        ),
        *(f"generationConfig.thinkingConfig.{name}" for name in ("thinkingLevel", "thinkingBudget", "includeThoughts")),
    ),
    usual={"generationConfig.responseModalities": (["TEXT"], ["text"])},
    of_no_weight={
        "role": "of instructions, which are in nobody's role",
        "thoughtSignature": "proves something to its own provider only",
        "no_id": "how a call was spelled",
        "parameters": "how a schema was spelled",
        "parametersJsonSchema": "how a schema was spelled",
        "functionResponse.response": "how a result was spelled",
    },
    logprobs=_logprobs,
)
