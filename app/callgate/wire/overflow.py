"""How providers say that a conversation has become too long for their model: no two say it alike.

Clients compact a conversation when they read it in the words of their own wire; in other words they only fail.
"""

import re

_OPENAI = "Input tokens exceed the configured limit"
_ADVICE = "Please reduce the length of the messages."
_WORDS = re.compile(
    r"prompt is too long|maximum context length|context[ _]length|context window|exceeds? the available context size"
    r"|exceed context limit|input tokens exceed"
    r"|token count .*?exceeds|maximum number of tokens allowed"  # Gemini, Copilot
    r"|maximum prompt length"  # xAI
    r"|exceeded model token limit"  # Kimi
    r"|reduce the length of the messages"  # Groq, Cerebras
    r"|input is too long for requested model"  # Bedrock
    r"|range of input length should be",  # Qwen
    re.IGNORECASE | re.DOTALL,
)
_USED_AND_LIMIT = (
    re.compile(r"configured limit of (?P<limit>\d+) tokens. Your messages resulted in (?P<used>\d+) tokens"),
    re.compile(r"prompt is too long: (?P<used>\d+) tokens > (?P<limit>\d+) maximum"),
    re.compile(r"\((?P<used>\d+) tokens?\) exceeds the available context size \((?P<limit>\d+) tokens?\)"),
    re.compile(r"token count (?:of )?\(?(?P<used>\d+)\)? exceeds .*?(?P<limit>\d+)"),
    re.compile(
        r"maximum (?:context|prompt) length (?:is|of) (?P<limit>\d+).*?"
        r"(?:requested|resulted in|contains?|has|of)(?: about| at least)? (?P<used>\d+) (?:input )?tokens",
        re.DOTALL,
    ),
    re.compile(r"contains (?P<used>\d+) tokens.*?(?P<limit>\d+) maximum context length", re.DOTALL),
)


def tells_overflow(text: str) -> bool:
    return _WORDS.search(text) is not None


def used_and_limit(text: str) -> tuple[int, int] | None:
    """How many tokens there are and how many there may be, where a provider says both."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    found = next((found for pattern in _USED_AND_LIMIT if (found := pattern.search(plain))), None)
    return (int(found["used"]), int(found["limit"])) if found else None


def in_openai_words(text: str, *own: str) -> str:
    """As clients of OpenAI's wires know it, who look at the words before the code; `own`: what they know besides."""
    if any(known in text for known in ("maximum context length", _OPENAI, *own)):
        return text
    if found := used_and_limit(text):
        used, limit = found
        return f"{_OPENAI} of {limit} tokens. Your messages resulted in {used} tokens. {_ADVICE}"
    return f"{_OPENAI}. {_ADVICE} ({text})"
