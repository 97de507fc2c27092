"""Which colour each piece of code has: Pygments' tokens under the names of the theme's colours. Pure."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, Punctuation, String, Token
from pygments.token import _TokenType as TokenType  # pyright: ignore[reportPrivateUsage]
from pygments.util import ClassNotFound

LIMIT: Final = 200_000
"""Longer code is shown without colours."""

_COLORS: Final[tuple[tuple[TokenType, str], ...]] = (
    (Comment, "text3"),
    (Keyword.Constant, "released"),
    (Keyword, "executing"),
    (Name.Tag, "accent"),
    (Name.Function, "accent"),
    (Name.Class, "accent"),
    (Name.Decorator, "accent"),
    (Name.Attribute, "accent"),
    (Name.Builtin, "released"),
    (Name.Exception, "released"),
    (Number, "released"),
    (String, "completed"),
    (Operator.Word, "executing"),
    (Operator, "text2"),
    (Punctuation, "text2"),
    (Generic.Deleted, "denied"),
    (Generic.Inserted, "completed"),
    (Generic.Heading, "accent"),
    (Generic.Prompt, "text3"),
)


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=512)
def _color_of(token: TokenType) -> str:
    nearest: TokenType | None = token
    while nearest is not None and nearest is not Token:
        for kind, color in _COLORS:
            if nearest is kind:
                return color
        nearest = nearest.parent
    return "text"


def colored(text: str, language: str) -> Iterator[tuple[str, str]] | None:
    """Colour and letters, piece by piece, lexed as they are asked for; None = nobody knows the language."""
    lexer = _lexer(language.lower()) if language and len(text) <= LIMIT else None
    return None if lexer is None else ((_color_of(token), piece) for token, piece in lexer.get_tokens(text))
