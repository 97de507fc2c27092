"""Looking into what a provider has sent: a field of the wrong type counts as missing, never as an exception."""

from collections.abc import Mapping

from callgate.core.messages import Json


def text_at(value: Mapping[str, Json], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def integer_at(value: Mapping[str, Json], key: str, default: int = 0) -> int:
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return default
    return int(found)


def object_at(value: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def objects_at(value: Mapping[str, Json], key: str) -> list[dict[str, Json]]:
    found = value.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
