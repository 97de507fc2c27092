"""Lists of models as both of OpenAI's wires have them."""

from collections.abc import Sequence

from callgate.core.messages import Json
from callgate.wire.codec import ListedModel


def openai_model(model: ListedModel) -> dict[str, Json]:
    return {"id": model.id, "object": "model", "created": 0, "owned_by": model.endpoint}


def openai_models(models: Sequence[ListedModel]) -> dict[str, Json]:
    return {"object": "list", "data": [openai_model(model) for model in models]}
