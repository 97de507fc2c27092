"""Free-form tools where only functions exist: the text travels as the one string of a JSON object.

`FreeText` takes that string out again while the JSON is still being written, so that the text stays live.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from callgate.core.json.text import dump_text
from callgate.core.messages import Json
from callgate.core.tool import ToolSpec

INPUT = "input"
_ACCEPTED = (INPUT, "patch", "content")
"""Keys under which models give the text, whatever they were told."""

_SPACE = re.compile(r"[ \t\r\n]*")
_SPACE_AND_COMMAS = re.compile(r"[ \t\r\n,]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PLAIN = re.compile(r'[^"\\]+')
_SKIPPED = re.compile(r'[^"{}\[\],]+')
_HEX = re.compile(r"[0-9a-fA-F]{0,4}")
_LOW_BEGUN = re.compile(r"(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]{0,2})?)?)?)?")
"""What may still become the second half of a surrogate pair."""
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LONE = "\N{REPLACEMENT CHARACTER}"


def as_function(tool: ToolSpec) -> ToolSpec:
    """The tool as a function of one string; its grammar is told in words."""
    words = [tool.description] if tool.description else []
    match tool.format:
        case {"syntax": str(syntax), "definition": str(definition)}:
            words.append(f"`{INPUT}` is free text, not JSON, and must match this {syntax} grammar:\n{definition}")
        case _:
            words.append(f"`{INPUT}` is free text, not JSON.")
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {INPUT: {"type": "string"}},
        "required": [INPUT],
        "additionalProperties": False,
    }
    return replace(tool, description="\n\n".join(words), schema=schema, variant="function", format=None)


def wrap(text: str) -> str:
    """A free-form call's text as the arguments of the function."""
    return dump_text({INPUT: text})


def unwrap(arguments: str) -> str:
    """The text of a finished call. Arguments that hold it nowhere are taken to be the text themselves."""
    scanner = FreeText()
    text = scanner.feed(arguments)
    if scanner.found:
        return text
    return "" if re.fullmatch(r"\s*(?:\{\s*\})?\s*", arguments) else arguments


class FreeText:
    """Reads JSON in pieces of any size; gives the string under the first accepted key, or a bare string.

    As lenient as whoever meant the text would wish: raw line breaks and unknown escapes stay as they are.
    """

    def __init__(self) -> None:
        self.found = False
        """True from the first quote of the text on."""
        self._pending = ""
        self._at = 0
        self._step: Callable[[], bool] = self._begin
        self._accepts = False
        self._depth = 0
        self._said: list[str] = []

    def feed(self, piece: str) -> str:
        """What of the text has become known."""
        self._pending = self._pending[self._at :] + piece
        self._at = 0
        self._said = []
        while self._step():
            pass
        return "".join(self._said)

    def _begin(self) -> bool:
        match self._next(_SPACE):
            case "":
                return False
            case "{":
                return self._go(self._key)
            case '"':
                return self._open_text()
            case _:
                return self._end()

    def _key(self) -> bool:
        match self._next(_SPACE_AND_COMMAS, take=False):
            case "":
                return False
            case '"':
                key = _STRING.match(self._pending, self._at)
                if key is None:
                    return False
                self._at = key.end()
                self._accepts = FreeText().feed(key.group()) in _ACCEPTED
                return self._go(self._colon)
            case _:
                return self._end()

    def _colon(self) -> bool:
        sign = self._next(_SPACE)
        if not sign:
            return False
        return self._go(self._value) if sign == ":" else self._end()

    def _value(self) -> bool:
        sign = self._next(_SPACE, take=False)
        if not sign:
            return False
        if sign == '"' and self._accepts:
            self._at += 1
            return self._open_text()
        self._depth = 0
        return self._go(self._skip)

    def _skip(self) -> bool:
        """A value that is not wanted."""
        sign = self._next(_SKIPPED)
        match sign:
            case "":
                return False
            case '"':
                return self._go(self._skip_string)
            case "{" | "[":
                self._depth += 1
            case "," if self._depth == 0:
                return self._go(self._key)
            case "}" | "]":
                if self._depth == 0:
                    return self._end()
                self._depth -= 1
            case _:
                pass
        return True

    def _skip_string(self) -> bool:
        match self._next(_PLAIN, take=False):
            case "":
                return False
            case '"':
                self._at += 1
                return self._go(self._skip)
            case _:
                if self._at + 2 > len(self._pending):
                    return False
                self._at += 2
                return True

    def _open_text(self) -> bool:
        self.found = True
        return self._go(self._text)

    def _text(self) -> bool:
        plain = _PLAIN.match(self._pending, self._at)
        if plain is not None:
            self._said.append(plain.group())
            self._at = plain.end()
        if self._at == len(self._pending):
            return False
        return self._end() if self._pending[self._at] == '"' else self._escape()

    def _escape(self) -> bool:
        sign = self._pending[self._at + 1 : self._at + 2]
        if not sign:
            return False
        if sign == "u":
            return self._code_point()
        return self._say(_ESCAPED.get(sign, f"\\{sign}"), 2)

    def _code_point(self) -> bool:
        digits = self._pending[self._at + 2 : self._at + 6]
        if not _HEX.fullmatch(digits):
            return self._say("\\u", 2)
        if len(digits) < 4:
            return False
        code = int(digits, 16)
        if 0xDC00 <= code < 0xE000:
            return self._say(_LONE, 6)
        if not 0xD800 <= code < 0xDC00:
            return self._say(chr(code), 6)
        second = self._pending[self._at + 6 : self._at + 12]
        if not _LOW_BEGUN.fullmatch(second):
            return self._say(_LONE, 6)
        if len(second) < 6:
            return False
        return self._say(chr(0x10000 + ((code - 0xD800) << 10) + int(second[2:], 16) - 0xDC00), 12)

    def _say(self, text: str, length: int) -> bool:
        self._said.append(text)
        self._at += length
        return True

    def _next(self, skipped: re.Pattern[str], *, take: bool = True) -> str:
        """The next character behind what is skipped; empty where there is none yet."""
        found = skipped.match(self._pending, self._at)
        if found is not None:
            self._at = found.end()
        sign = self._pending[self._at : self._at + 1]
        if take:
            self._at += len(sign)
        return sign

    def _go(self, step: Callable[[], bool]) -> bool:
        self._step = step
        return True

    def _end(self) -> bool:
        self._step = self._ignore
        return True

    def _ignore(self) -> bool:
        self._at = len(self._pending)
        return False
