"""Globs over names, paths and URLs. Pure; matching is bounded in time, as a glob may come from anyone."""

import regex

REGEX_SECONDS = 0.02
"""A pattern that needs longer on one value is hostile or broken: the loop must not stall for it."""


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


def collapsed(path: str) -> str:
    """A path or URL without `.`, `..` and empty steps, so that `/tmp/../etc/x` cannot pass for something in /tmp."""
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


def glob_matches(glob: str, text: str) -> bool:
    """Whether the whole text fits a glob."""
    return regex.fullmatch(glob_pattern(glob), text, timeout=REGEX_SECONDS) is not None
