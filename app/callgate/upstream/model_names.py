"""What an endpoint says when it is asked for its models. Pure."""

from dataclasses import dataclass

from callgate.core.json.text import parse_object


@dataclass(frozen=True, slots=True)
class ModelsAnswer:
    status: int
    body: bytes
    said: str = ""
    """The words of an error, without the key that was sent."""


def model_names(body: bytes) -> tuple[str, ...] | None:
    """OpenAI and Anthropic list `data[].id`, Gemini `models[].name`; None = this is no list of models."""
    fields = parse_object(body)
    if fields is None or not ("data" in fields or "models" in fields):
        return None
    listed = fields.get("data") or fields.get("models")
    if listed is None:
        return ()  # Ollama without models
    if not isinstance(listed, list):
        return None
    names: list[str] = []
    for item in listed:
        name = item.get("id") or item.get("name") if isinstance(item, dict) else None
        if isinstance(name, str):
            names.append(name.removeprefix("models/"))
    return tuple(dict.fromkeys(names)) if names or not listed else None
