"""Globs over names, paths and URLs. Pure; matching is bounded in time, as a glob may come from anyone."""

import re
from functools import lru_cache

import regex

REGEX_SECONDS = 0.02
"""A pattern that needs longer on one value is hostile or broken: the loop must not stall for it."""

EASY_STEPS = 50_000
"""What cannot take more steps than this needs no clock; setting one costs more than the match itself."""
_WILD = re.compile(r"[*?]")


class MatchTimeout(TimeoutError):
    """A pattern took too long on a value; the caller must fail closed."""

    def __init__(self, pattern: str, seconds: float = REGEX_SECONDS) -> None:
        super().__init__(f"{pattern} took longer than {seconds:g} s")


def glob_pattern(glob: str) -> str:
    """A glob as a regular expression: `**` crosses `/`, `*` too unless the glob itself has one; `?` is one sign."""
    narrow = "[^/]" if "/" in glob else "."
    out: list[str] = []
    index = 0
    while index < len(glob):
        if glob.startswith("**/", index):
            out.append("(?:.*/)?")
            index += 3
        elif glob.startswith("**", index):
            out.append(".*")
            index += 2
        elif glob[index] == "*":
            out.append(f"{narrow}*")
            index += 1
        elif glob[index] == "?":
            out.append(narrow)
            index += 1
        else:
            out.append(regex.escape(glob[index]))
            index += 1
    return "(?s:" + "".join(out) + ")"


@lru_cache(maxsize=256)
def collapsed(path: str) -> str:
    """A path or URL without `.`, `..` and empty steps, so that `/tmp/../etc/x` cannot pass for something in /tmp."""
    if "/." not in path and "//" not in path and not path.startswith(".") and not path.endswith("/"):
        return path
    scheme, mark, rest = path.partition("://")
    if not mark:
        scheme, rest = "", path
    steps: list[str] = []
    for step in rest.split("/"):
        if step == ".." and steps and steps[-1] not in ("", ".."):
            steps.pop()
        elif step == ".." and steps == [""]:
            continue
        elif step not in (".",) and (step or not steps):
            steps.append(step)
    return f"{scheme}{mark}{'/'.join(steps) or rest[:1]}"


class Glob:
    """A glob, compiled once."""

    __slots__ = ("_exact", "_pattern", "_stars", "prefix", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        wild = _WILD.search(text)
        self._exact = wild is None
        self.prefix = text if wild is None else text[: wild.start()]
        """What every text begins with that fits."""
        if text.startswith("**/", len(self.prefix)):
            # `a/**/b` also fits a/b
            self.prefix = self.prefix.rstrip("/")
        self._stars = len(re.findall(r"\*+", text))
        self._pattern: regex.Pattern[str] = regex.compile(glob_pattern(text))

    def matches(self, text: str) -> bool:
        """Whether the whole text fits. Raises `MatchTimeout` where that cannot be told in time."""
        if not text.startswith(self.prefix):
            return False
        if self._exact:
            return text == self.text
        if len(text) ** self._stars <= EASY_STEPS:
            return self._pattern.fullmatch(text) is not None
        try:
            return self._pattern.fullmatch(text, timeout=REGEX_SECONDS) is not None
        except TimeoutError as slow:
            raise MatchTimeout(self.text) from slow


@lru_cache(maxsize=1024)
def compiled(glob: str) -> Glob:
    return Glob(glob)


def glob_matches(glob: str, text: str) -> bool:
    """Whether the whole text fits a glob. Raises `MatchTimeout`."""
    return compiled(glob).matches(text)
