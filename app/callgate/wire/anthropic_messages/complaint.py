"""Complaints about a request in this wire's own words: the field's path first, as its owner writes them."""

from collections.abc import Generator
from contextlib import contextmanager

from callgate.core.errors import BadRequest


def complaint(path: str, message: str) -> BadRequest:
    return BadRequest(f"{path}: {message}", path)


@contextmanager
def in_own_words() -> Generator[None]:
    """Complaints of the shared field reader, reworded."""
    try:
        yield
    except BadRequest as bad:
        fault = bad.fault
        if fault.param is None or fault.message.startswith(f"{fault.param}:"):
            raise
        if fault.code == "missing_required_parameter":
            raise complaint(fault.param, "Field required") from bad
        raise complaint(fault.param, fault.message) from bad
