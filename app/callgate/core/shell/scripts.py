"""Scripts of sed and awk, as far as to tell that they only turn text into text: no command is run, no file written.

Only what is known passes; what is not understood counts as more than that.
"""

import re

_SED_SET = r"\[\^?\]?[^\]\[\\\n{sign}]*\]"
"""In a set the sign that ends a pattern may be a letter, or not: that is not told here."""
_SED_PLACE = rf"(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n\[]|\\[^\n]|{_SED_SET.format(sign='/')})*/I?)"
_SED_ADDRESS = rf"(?:{_SED_PLACE}(?:\s*,\s*(?:{_SED_PLACE}|[+~]\d+))?\s*!?\s*)?"
_SED_SIGNS = "/|,#@:!%_~+"
_SED_SUBSTITUTES = "|".join(
    rf"s{sign}(?:[^{sign}\\\n\[]|\\[^\n]|{_SED_SET.format(sign=sign)})*{sign}(?:[^{sign}\\\n]|\\[^\n])*{sign}[gpiImM0-9]*"
    for sign in map(re.escape, _SED_SIGNS)
)
_SED_COMMAND = re.compile(
    rf"[\s;]*{_SED_ADDRESS}(?:{_SED_SUBSTITUTES}|y/(?:[^/\\\n]|\\[^\n])*/(?:[^/\\\n]|\\[^\n])*/"
    r"|[pPdDqQnNgGhHx=lz]\d*|[{}]|[bt]\s*\w*|:\s*\w+|[aic](?:\\\n?|\s)[^\n]*)\s*(?=[;\n}]|(?<=\{)|\Z)"
)
_LONGEST = 2000

_AWK_TOKEN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|#[^\n]*|/|[^"#/]+|.', re.DOTALL)
_AWK_PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\[^\n]|\[[^\]/\n]*\])+/")
_BEFORE_PATTERN = re.compile(r"(?:^|[(,!~{&|;\n])\s*\Z")
_AWK_MORE = re.compile(r"@|(?<!\|)\|(?!\|)|\bprintf?\b[^;}\n]*>|>>")
_AWK_WORDS = re.compile(r"\b(?:system|getline|fflush|close|ENVIRON|PROCINFO)\b|/inet")


def sed_is_plain(script: str) -> bool:
    if len(script) > _LONGEST:
        return False
    at = 0
    while script[at:].strip(" \t\n;}"):
        found = _SED_COMMAND.match(script, at)
        if found is None or found.end() == at:
            return False
        at = found.end()
    return True


def awk_is_plain(program: str) -> bool:
    if len(program) > _LONGEST or _AWK_WORDS.search(program):
        return False
    bare = _awk_bare(program)
    return bare is not None and _AWK_MORE.search(bare) is None


def _awk_bare(program: str) -> str | None:
    """A program without its texts and patterns; None where it is not certain what is one."""
    out, at = "", 0
    while at < len(program):
        if program[at] == "/":
            pattern = _AWK_PATTERN.match(program, at) if _BEFORE_PATTERN.search(out) else None
            if pattern is not None:
                out, at = f"{out}0", pattern.end()
                continue
            if "/" in program[at + 1 :].split("\n")[0]:
                return None  # a division, or the beginning of a pattern
        found = _AWK_TOKEN.match(program, at)
        if found is None or found[0] == '"':
            return None
        out, at = out + ("0" if found[0].startswith('"') else "" if found[0].startswith("#") else found[0]), found.end()
    return out
