"""Values: dataclasses that nobody changes, of which a long history makes tens of thousands.

To the type checker they are frozen. Frozen at run time too, every field would cost a call of its own when a value is
made: a fifth of the time that reading such a history takes, to forbid what nobody here can write.
"""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(kind: type[T]) -> type[T]:
    return dataclass(slots=True, unsafe_hash=True)(kind)
