"""Words for the demo model: stems, a few synonyms, and a text cut into the things it asks for.

Small on purpose: enough to tell "show me README.md" from "list the folder", no attempt at grammar. Knows no tools.
"""

import re
from dataclasses import dataclass

_GROUPS = (
    "read open show view cat print display content say inside look",
    "list ls enumerate",
    "directory folder dir",
    "find locate glob",
    "search grep occurrence mention",
    "run execute exec launch",
    "command shell terminal cmd bash",
    "weather forecast temperature rain sunny",
    "write create save",
    "edit change modify replace update",
    "delete remove rm erase",
    "time clock hour date today",
    "calculate compute sum math",
    "fetch download browse",
    "image picture photo",
    "mail email",
)
"""The first word of each line stands for all of them."""

_STOP_WORDS = frozenset(
    re.findall(
        r"\S+",
        "a an and are as at be by can could do does for from get give go has have here hey hi how i i'd i'm "
        "in into is it its let's like me my of on one or our please should so some tell that the their them "
        "there these they this those to tool try use using want was we what what's when which will with would "
        "you your all any now just also then about if not no yes where who why ",
    )
)

_IMPLIED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"`[^`\n]+`"), "command"),
    (re.compile(r"https?://\S+"), "url fetch page"),
    (re.compile(r"[\w./-]*\*[\w./*-]*\.\w+|\*\*/"), "pattern file find"),
    (re.compile(r"\d\s*[-+*/×]\s*\d"), "calculate"),
    (
        re.compile(
            r"\b(what(?:'s| is| are)?|show|see|which|look|open|browse)\b.*\b(folder|directory|dir)\b", re.IGNORECASE
        ),
        "list",
    ),
    (re.compile(r"\bwhere (?:is|are|do|does)\b", re.IGNORECASE), "search"),
    (re.compile(r"^(?!.*\bfiles?\b).*\bfind\b.*\bin\b", re.IGNORECASE), "search text"),
    (re.compile(r"\bwhat(?:'s| is) in(?:side)?\b", re.IGNORECASE), "read list"),
)
"""What a text means without saying the word."""

_CLAUSE_END = re.compile(
    r"(?P<sentence>[.!?;]+(?=\s|$)|\n+)"
    r"|(?P<later>,?\s+(?:and\s+then|then|after\s+that|afterwards)\b)"
    r"|(?P<joined>\s*,\s*(?:and\b|plus\b)?|\s+(?:and|plus|as\s+well\s+as|&)(?=\s))"
    r"(?:\s+also\b)?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|(?<!\w)'[^'\n]*'(?!\w)")


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a text that may ask for one thing."""

    start: int
    end: int
    step: int
    """Counts what comes after a "then": later steps wait for the results of earlier ones."""
    sentence: int


def stem(word: str) -> str:
    """A word without its ending, so that `files` and `file`, `reading` and `read` are the same."""
    word = word.lower()
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif re.search(r"(?:ch|sh|ss|x)es$", word):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


_CANON = {stem(word): stem(group.split()[0]) for group in _GROUPS for word in group.split()}


def canon(word: str) -> str:
    """The stem that stands for a word and its synonyms."""
    root = stem(word)
    return _CANON.get(root, root)


def name_tokens(name: str) -> list[str]:
    """The words in an identifier: `readFile`, `read_file` and `fs.read-file` give read, file."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return [canon(word) for word in re.findall(r"[A-Za-z]+|\d+", spaced)]


def text_tokens(text: str) -> set[str]:
    """The telling words of a text, without those that every sentence has."""
    words = re.findall(r"[A-Za-zÀ-ÿ][\w'’]*", text.replace("_", " "))
    return {canon(word) for word in words if word.lower() not in _STOP_WORDS}


def meaning(text: str) -> set[str]:
    """The telling words of what a person wrote, and what the text implies."""
    tokens = text_tokens(text)
    for pattern, implied in _IMPLIED:
        if pattern.search(text):
            tokens |= {canon(word) for word in implied.split()}
    return tokens


def clauses(text: str) -> list[Clause]:
    """A text cut at sentence ends, commas and "and"; quoted pieces are never cut."""
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    found: list[Clause] = []
    start = step = sentence = 0
    for cut in _CLAUSE_END.finditer(text):
        if any(begin < cut.start() < end for begin, end in quoted):
            continue
        if text[start : cut.start()].strip():
            found.append(Clause(start, cut.start(), step, sentence))
        start = cut.end()
        if cut["later"]:
            step += 1
        if cut["sentence"]:
            sentence += 1
    if text[start:].strip():
        found.append(Clause(start, len(text), step, sentence))
    return found
