"""The columns of the traffic table: what each says of a row, how it sorts, and how wide it wants to be. Pure."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.state_look import StateLook
from callgate.ui.traffic.row import Status, TrafficRow
from callgate.ui.widgets.agent_name import has_sign, spoken_name

SortValue = str | float | int | None
"""None sorts last, whichever way."""

STATUS_LOOK: Final[dict[Status, StateLook]] = {
    "running": StateLook("running", "executing", "running"),
    "streaming": StateLook("streaming", "accent", "live"),
    "waiting": StateLook("waiting", "waiting", "waiting"),
    "completed": StateLook("completed", "completed", "done"),
    "failed": StateLook("failed", "denied", "failed"),
    "cancelled": StateLook("cancelled", "cancelled", "cancelled"),
}


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    width: int
    text: Callable[[TrafficRow], str]
    sort: Callable[[TrafficRow], SortValue]
    is_number: bool = False
    about: str = ""


def status_words(row: TrafficRow) -> str:
    """What became of it: the HTTP status where there is one, and a word."""
    if row.fault is not None:
        return f"{row.fault.http_status} {row.fault.kind.replace('_', ' ')}"
    return f"{row.code} {STATUS_LOOK[row.status].word}" if row.code is not None else STATUS_LOOK[row.status].word


def _tools(row: TrafficRow) -> str:
    if row.call or (not row.offered and not row.calls):
        return ""
    return f"{row.offered} → {len(row.calls)}"


def _usage(name: str) -> tuple[Callable[[TrafficRow], str], Callable[[TrafficRow], SortValue]]:
    def number(row: TrafficRow) -> int | None:
        return None if row.usage is None else int(getattr(row.usage, name)) or None

    def text(row: TrafficRow) -> str:
        held = number(row)
        return "" if held is None else figures.about(figures.count(held), _is_estimate(row))

    return text, number


def _is_estimate(row: TrafficRow) -> bool:
    return row.usage is not None and bool(row.usage.estimated)


def _cost(row: TrafficRow) -> str:
    return "" if row.cost is None else figures.about(figures.dollars(row.cost), _is_estimate(row))


def _maybe(value: float | None, spell: Callable[[float], str]) -> str:
    return "" if value is None else spell(value)


def _route(row: TrafficRow) -> str:
    if row.call:
        return f"{reveal(row.endpoint)} (MCP)"
    if row.wire == "mcp":
        return "mcp"
    if not row.upstream_wire or row.wire == row.upstream_wire:
        return reveal(row.endpoint)
    return f"{reveal(row.endpoint)} ⇄"


def _who(row: TrafficRow) -> str:
    """The model, or the tool that an MCP server was asked for."""
    return reveal(row.calls[0].tool if row.call else row.model)


def _agent(row: TrafficRow) -> str:
    return f"{reveal(row.agent)} ✓" if has_sign(row.agent, row.agent_proven) else reveal(row.agent)


def _when(row: TrafficRow) -> str:
    if row.call:
        return "  ↳ call"
    return f"↳ round {row.round}" if row.round else figures.time_or_day(row.at, time.time())


TIME, AGENT, ENDPOINT, MODEL, STATUS, TOOLS = range(6)
DURATION: Final = 13
COLUMNS: Final = (
    Column("Time", 98, _when, lambda row: row.at),
    Column(
        "Agent",
        118,
        _agent,
        lambda row: row.agent.casefold(),
        about="✓ = its name is proven by a token, not only claimed",
    ),
    Column(
        "Endpoint",
        106,
        _route,
        lambda row: row.endpoint.casefold(),
        about="Where it went; ⇄ = translated to another wire",
    ),
    Column("Model", 150, _who, lambda row: row.model.casefold()),
    Column("Status", 146, status_words, status_words),
    Column("Tools", 72, _tools, lambda row: len(row.calls) or None, True, "Tools offered → tools called"),
    Column(
        "In",
        60,
        *_usage("input"),
        True,
        "Tokens in, cached ones too; ≈ = the provider did not count, so this is an estimate",
    ),
    Column("Out", 56, *_usage("output"), True, "Tokens out"),
    Column("Cached", 64, *_usage("cached"), True, "Tokens in that the provider had kept"),
    Column("Reasoning", 76, *_usage("reasoning"), True, "Tokens of reasoning, part of those out"),
    Column("Cost", 70, _cost, lambda row: row.cost, True, "By the price table"),
    Column(
        "TTFT",
        62,
        lambda row: _maybe(row.first_token_seconds, figures.seconds),
        lambda row: row.first_token_seconds,
        True,
        "Time to the first token",
    ),
    Column(
        "Tok/s",
        56,
        lambda row: figures.about(_maybe(row.tokens_per_second, figures.rate), _is_estimate(row)),
        lambda row: row.tokens_per_second,
        True,
        "Tokens a second, once the model had begun",
    ),
    Column(
        "Duration",
        170,
        lambda row: figures.seconds(row.seconds),
        lambda row: row.seconds,
        True,
        "From the request to its last byte; the bar tells what the time went into:\n"
        "until the first token, streaming, waiting for a person, running tools",
    ),
)


def spent_words(row: TrafficRow) -> str:
    """Where the time went, longest first."""
    parts = (
        (row.spent.provider, "until the first token"),
        (row.spent.streaming, "streaming"),
        (row.spent.person, "waiting for a person"),
        (row.spent.tools, "running tools"),
    )
    told = [f"{figures.seconds(span)} {what}" for span, what in sorted(parts, reverse=True) if span > 0]
    return ", ".join(told)


def tip(row: TrafficRow, column: int) -> str:
    """More about a cell, for whoever hovers."""
    match column:
        case _ if column == TIME:
            return figures.moment(row.at)
        case _ if column in (ENDPOINT, MODEL) and row.upstream_wire:
            how = "bytes unchanged" if row.untouched else f"{row.wire} → {row.upstream_wire}"
            asked = f"; asked for {row.asked_model}" if row.asked_model != row.model else ""
            return f"{row.endpoint} · {row.model}{asked} · {how}"
        case _ if column == STATUS:
            return row.fault.message if row.fault is not None else ", ".join(row.repairs)
        case _ if column == AGENT:
            return spoken_name(row.agent, row.agent_proven)
        case _ if column == TOOLS:
            return ", ".join(dict.fromkeys(call.tool for call in row.calls))
        case _ if column == DURATION:
            return spent_words(row)
        case _:
            return ""


def spoken(row: TrafficRow) -> str:
    """The row as a sentence."""
    what = "call" if row.call else f"round {row.round}" if row.round else "exchange"
    called = f"called {tip(row, TOOLS)}" if row.calls else ""
    who = f"{row.agent} (proven)" if has_sign(row.agent, row.agent_proven) else row.agent
    parts = (what, who, row.endpoint, row.model, status_words(row), called, figures.seconds(row.seconds))
    return ", ".join(filter(None, parts))
