"""What a POSIX shell takes for one word, and for blank space between words.

The parser is made for colouring code: it is lenient, and takes some texts apart otherwise than a shell does (a line
continued within a word, a carriage return). Every word and every gap that it reports is checked again with this.
"""

import unicodedata

_ENDS_A_WORD = frozenset(" \t\n;&|<>()`")
_BLANK = frozenset(" \t\n")
_MOST_SIGNS = 300
"""The parser needs up to 10 ms for so many, and far longer for more."""
_SIGNS = "|&;<>(){}$`\n"


def is_one_word(raw: str) -> bool:
    """Whether a shell would take the text for exactly one word; expansions count as text here."""
    index = depth = 0
    while index < len(raw):
        char = raw[index]
        if char == "\\":
            if raw[index + 1 : index + 2] in ("", "\n"):
                return False
            index += 2
            continue
        if char == "'":
            index = raw.find("'", index + 1)
            if index < 0:
                return False
        elif char == '"':
            index = _string_end(raw, index)
            if index < 0:
                return False
        elif raw.startswith(("${", "$("), index):
            # whatever has one of these is a concern anyway: only its end matters here
            depth += 1
            index += 1
        elif char in ")}" and depth:
            depth -= 1
        elif char in _ENDS_A_WORD and not depth:
            return False
        index += 1
    return bool(raw) and not depth


def _string_end(raw: str, start: int) -> int:
    index = start + 1
    while index < len(raw):
        if raw[index] == "\\":
            index += 2
        elif raw[index] == '"':
            return index
        else:
            index += 1
    return -1


def is_blank(gap: str) -> bool:
    """Whether a shell skips the text between two tokens."""
    return set(gap.replace("\\\n", "")) <= _BLANK


def separates(gap: str) -> bool:
    """Whether a gap within one command ends a word; a continued line alone joins what stands around it."""
    rest = gap.replace("\\\n", "")
    return bool(rest) and set(rest) <= {" ", "\t"}


def unquoted_lines(text: str) -> list[tuple[int, str]]:
    """A text cut at each new line that ends a command, as far as quotes tell; each line with where it begins."""
    lines: list[tuple[int, str]] = []
    start = index = 0
    while index < len(text):
        char = text[index]
        if char == "\\":
            index += 1
        elif char == "'":
            end = text.find("'", index + 1)
            index = end if end >= 0 else len(text)
        elif char == '"':
            end = _string_end(text, index)
            index = end if end >= 0 else len(text)
        elif char == "\n" and not text[start:index].rstrip().endswith(("&&", "|")):
            lines.append((start, text[start:index]))
            start = index + 1
        index += 1
    return [*lines, (start, text[start:])]


def strange_character(text: str) -> str:
    """The name of the first character that a person cannot see or a terminal obeys, or that only looks like a blank;
    empty = there is none."""
    for char in text:
        if char not in "\n\t " and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"):
            return f"U+{ord(char):04X}"
    return ""


def too_intricate(text: str) -> bool:
    return sum(text.count(sign) for sign in _SIGNS) > _MOST_SIGNS
