"""What a model can do, where models differ: rows of data, found by globs over the model's name.

Wires tell how something is spelled; this tells whether a model takes it at all, on whichever wire it is offered. The
codecs of Anthropic and Gemini know the finer points of their own models.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

ThinkingForm = Literal["none", "budget", "adaptive", "level"]
SamplingRule = Literal["always", "unthinking", "never"]

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
"""All named efforts, from the least to the most."""

_BUDGETS = ((0, "none"), (1_024, "minimal"), (4_096, "low"), (16_384, "medium"), (32_768, "high"), (65_536, "xhigh"))
"""Up to so many thinking tokens are that effort; above, it is `max`."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The defaults are those of a model that nothing is known of: it is asked for everything."""

    forced_choice: bool = True
    """False: it refuses to be made to call a tool."""
    sampling: SamplingRule = "always"
    """When temperature, top_p, top_k and the penalties are taken."""
    thinks_unasked: bool = False
    """True: it thinks unless it is told not to."""
    stop: bool = True
    """False: stop sequences are refused."""
    thinking: ThinkingForm = "level"
    """How it is told to think: not at all, by tokens, by itself within an effort, or by a named effort."""
    efforts: tuple[str, ...] = ()
    """The named efforts that it takes; empty = not known to be limited."""

    def samples(self, effort: str) -> bool:
        """`effort`: the one that it is asked for; empty = its own."""
        thinks = effort != "none" if effort else self.thinks_unasked
        return self.sampling == "always" or (self.sampling == "unthinking" and not thinks)


_OLD_THINKER = Capabilities(thinking="budget")
_SILENT = Capabilities(thinking="none")


def _reasoner(*efforts: str) -> Capabilities:
    """Of OpenAI's, one that cannot be kept from thinking."""
    return Capabilities(sampling="never", stop=False, efforts=efforts)


def _at_will(*efforts: str, thinks_unasked: bool) -> Capabilities:
    """Of OpenAI's, one that can."""
    return Capabilities(sampling="unthinking", stop=False, thinks_unasked=thinks_unasked, efforts=("none", *efforts))


_ROWS: tuple[tuple[tuple[str, ...], Capabilities], ...] = (
    (
        ("*claude-sonnet-5[-.]5*", "*claude-opus-5[-.]5*", "*claude-fable-5[-.]1*", "*claude-mythos-5[-.]1*"),
        Capabilities(forced_choice=False, sampling="never", thinking="adaptive"),
    ),
    (("*claude-3[-.]7*",), _OLD_THINKER),
    (("*claude-[123]*", "*claude-instant*"), _SILENT),
    (
        ("*claude-*-4", "*claude-*-4[@:]*", "*claude-*-4[-.][0-5a-z]*", "*claude-4", "*claude-4[-.][0-5a-z]*"),
        _OLD_THINKER,
    ),
    (("*claude-*-4[-.]6*", "*claude-4[-.]6*"), Capabilities(thinking="adaptive")),
    (
        ("*claude-*-4[-.]*", "*claude-4[-.]*", "*claude-*-[5-9]*", "*claude-[5-9]*"),
        Capabilities(sampling="never", thinking="adaptive"),
    ),
    (("*gemini-[3-9]*", "*gemini-*latest"), Capabilities(efforts=("minimal", "low", "medium", "high"))),
    (("*gemini-2[.-]5*",), _OLD_THINKER),
    (("*gemini-[12]*",), _SILENT),
    (("o1-mini*", "o1-preview*"), Capabilities(sampling="never", stop=False, thinking="none")),
    (("o[134]", "o[134]-*", "gpt-5-codex*", "gpt-5.1-codex*"), _reasoner("low", "medium", "high")),
    (("gpt-5-chat*", "gpt-4*", "gpt-3.5*", "chatgpt-*"), _SILENT),
    (("gpt-5", "gpt-5-mini*", "gpt-5-nano*", "gpt-5-20*"), _reasoner("minimal", "low", "medium", "high")),
    (("gpt-5.[1-9]-chat*",), _reasoner("medium")),
    (("gpt-5-pro*",), _reasoner("high")),
    (("gpt-5.[1-9]-pro*",), _reasoner("medium", "high", "xhigh")),
    (("gpt-5.1", "gpt-5.1-*"), _at_will("low", "medium", "high", thinks_unasked=False)),
    (("gpt-5.[2-4]", "gpt-5.[2-4]-*"), _at_will("low", "medium", "high", "xhigh", thinks_unasked=False)),
    (("gpt-6-astra*", "gpt-6.1-sol*"), _reasoner("low", "medium", "high", "xhigh", "max")),
    (("gpt-5.5", "gpt-5.5-*"), _at_will("low", "medium", "high", "xhigh", thinks_unasked=True)),
    (
        ("gpt-5.[6-9]*", "gpt-[6-9]", "gpt-[6-9][-.]*"),
        _at_will("low", "medium", "high", "xhigh", "max", thinks_unasked=True),
    ),
)
"""The first row with a matching glob counts."""


def capabilities_of(model: str) -> Capabilities:
    """By the name alone, without whatever path a gateway puts before it (`openai/gpt-5`, `models/gemini-3-pro`)."""
    name = model.lower().rpartition("/")[2]
    for globs, capabilities in _ROWS:
        if any(fnmatchcase(name, glob) for glob in globs):
            return capabilities
    return Capabilities()


def effort_of(budget: int | None) -> str:
    """The named effort that a budget of thinking tokens amounts to; empty where the model may choose (None, -1)."""
    if budget is None or budget < 0:
        return ""
    return next((effort for most, effort in _BUDGETS if budget <= most), "max")


def nearest_effort(effort: str, taken: tuple[str, ...]) -> str:
    """The effort if it is taken, else the next lower one that is, else the lowest; unknown words are left alone.

    Who asks for little thinking does not ask for none.
    """
    if not taken or effort in taken or effort not in EFFORTS:
        return effort
    wanted = EFFORTS.index(effort)
    ranked = sorted((name for name in taken if name != "none"), key=EFFORTS.index)
    lower = [name for name in ranked if EFFORTS.index(name) < wanted]
    return lower[-1] if lower else ranked[0]
