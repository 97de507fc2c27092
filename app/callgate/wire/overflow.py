"""How many tokens were too many: providers say it in a sentence, each in its own."""

import re

_OPENAI = "Input tokens exceed the configured limit"
_ADVICE = "Please reduce the length of the messages."
_SENTENCES = (
    re.compile(r"configured limit of (?P<limit>\d+) tokens. Your messages resulted in (?P<used>\d+) tokens"),
    re.compile(r"prompt is too long: (?P<used>\d+) tokens > (?P<limit>\d+) maximum"),
    re.compile(r"\((?P<used>\d+) tokens?\) exceeds the available context size \((?P<limit>\d+) tokens?\)"),
    re.compile(r"input token count \((?P<used>\d+)\) exceeds .*?\((?P<limit>\d+)\)"),
    re.compile(
        r"maximum context length (?:is|of) (?P<limit>\d+) tokens?.*?"
        r"(?:requested|resulted in|contains?|has|of)(?: about| at least)? (?P<used>\d+) (?:input )?tokens",
        re.DOTALL,
    ),
)


def used_and_limit(text: str) -> tuple[str, str] | None:
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    found = next((match for sentence in _SENTENCES if (match := sentence.search(plain))), None)
    return (found["used"], found["limit"]) if found else None


def in_openai_words(text: str, *own: str) -> str:
    """As clients of OpenAI's wires know it, who look at the words before the code; `own`: what they know besides."""
    if any(known in text for known in ("maximum context length", _OPENAI, *own)):
        return text
    if found := used_and_limit(text):
        used, limit = found
        return f"{_OPENAI} of {limit} tokens. Your messages resulted in {used} tokens. {_ADVICE}"
    return f"{_OPENAI}. {_ADVICE} ({text})"
