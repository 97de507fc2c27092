"""Looking through the full-text index: which conversations a query means, the best first, and where the words stand.

Reads only. All words must be found somewhere in a conversation, each in any passage of it. Text that a person typed
reaches SQLite only as quoted strings, so that nothing in it can be taken for the index's own language.
"""

import re
import sqlite3
from typing import Final

from callgate.core.search.hit import SearchHit
from callgate.core.search.passages import spaced, unspaced
from callgate.core.search.query import SearchQuery, Word, fits
from callgate.core.search.snippet import Snippet, snippet
from callgate.store.tables.search_rows import SHIFT

SCORED: Final = 2000
"""Passages that are weighed, of the conversations begun last: a word of every sentence has hits without end."""
_SHORTEST_PREFIX: Final = 2
"""One letter is the beginning of nearly every word: alone it is looked for as it stands."""
_ONE_LETTER: Final = re.compile(r"(?<=[^\W_])[\W_]+[A-Za-z0-9]$")
_WEIGHTS: Final = "8.0, 1.0, 2.0"
"""A hit in the title counts most, one in a tool's name more than one in a text."""
_TITLE_BONUS: Final = 10.0
_SAID: Final = frozenset({"title", "system", "user", "answer", "reasoning"})
"""Passages that are Markdown, or may be."""
_APART: Final = -100.0
"""Below every passage that has all the words."""


def find(connection: sqlite3.Connection, query: SearchQuery, limit: int) -> list[SearchHit]:
    allowed = _allowed(connection, query)
    if allowed is not None and not allowed:
        return []
    terms = [
        *(_term(word) for word in _looked_for(query.words)),
        *(f"tool : {_quoted(tool)} *" for tool in query.tools),
    ]
    if not terms:
        return _all(connection, allowed or set(), limit)
    best = _together(connection, terms, allowed)
    if len(best) < limit:
        best = {**_apart(connection, terms, allowed), **best}
    ranked = sorted(best.items(), key=lambda item: (-item[1][0], -item[0]))[:limit]
    names = _names(connection)
    words = (*query.words, *(Word(tool) for tool in query.tools))
    hits = [_hit(connection, names[number], row, score, words) for number, (score, row) in ranked if number in names]
    return [hit for hit in hits if hit is not None]


def _looked_for(words: tuple[Word, ...]) -> list[Word]:
    """Words without those that are only just begun: one letter is the beginning of nearly everything."""
    begun = [word for word in words if word.exact or len(word.text) >= _SHORTEST_PREFIX or not word.text.isascii()]
    return begun or list(words)


def _term(word: Word) -> str:
    text = word.text
    if not word.exact:
        # the same inside a word: of `read_f` only `read` is known yet
        text = _ONE_LETTER.sub("", text) or text
    return _quoted(text) if word.exact or len(text) < _SHORTEST_PREFIX else f"{_quoted(text)} *"


def _quoted(text: str) -> str:
    return '"' + spaced(text).replace('"', '""') + '"'


def _allowed(connection: sqlite3.Connection, query: SearchQuery) -> set[int] | None:
    """Numbers of the conversations that fit the fields; None = all do."""
    if not (query.agents or query.models or query.tags):
        return None
    rows = connection.execute(
        "SELECT number, agent, model, json_extract(summary, '$.marks.tags') FROM search_conversations"
        " JOIN conversations ON id = conversation_id"
    )
    return {
        number
        for number, agent, model, tags in rows
        if all(fits(agent, wanted) for wanted in query.agents)
        and all(fits(model, wanted) for wanted in query.models)
        and all(_has_tag(tags, wanted) for wanted in query.tags)
    }


def _has_tag(tags: str | None, wanted: str) -> bool:
    return any(tag.startswith(wanted.casefold()) for tag in (tags or "").strip("[]").replace('"', "").split(","))


def _together(
    connection: sqlite3.Connection, terms: list[str], allowed: set[int] | None
) -> dict[int, tuple[float, int]]:
    """Conversations with a passage that has every term: score and best row of each, of the latest passages."""
    query = " AND ".join(terms)
    weighed = f"SELECT rowid, bm25(search, {_WEIGHTS}) FROM search WHERE search MATCH ?"
    titles = connection.execute(f"{weighed} ORDER BY rowid DESC LIMIT {SCORED}", (f"title : ({query})",))
    rows = [(row, _TITLE_BONUS - rank) for row, rank in titles]
    others = connection.execute(f"{weighed} ORDER BY rowid DESC LIMIT {SCORED}", (query,))
    rows += [(row, -rank) for row, rank in others]
    best: dict[int, tuple[float, int]] = {}
    for row, score in rows:
        number = row >> SHIFT
        if (allowed is None or number in allowed) and score > best.get(number, (float("-inf"), 0))[0]:
            best[number] = (score, row)
    return best


def _apart(connection: sqlite3.Connection, terms: list[str], allowed: set[int] | None) -> dict[int, tuple[float, int]]:
    """Conversations that have every term, but maybe each in another passage; the row is one of the rarest term."""
    found = allowed
    rarest: dict[int, int] = {}
    for place, term in enumerate(terms):
        rows = connection.execute(
            f"SELECT rowid >> {SHIFT}, max(rowid) FROM search WHERE search MATCH ? GROUP BY 1", (term,)
        )
        having: dict[int, int] = dict(rows.fetchall())
        found = set(having) if found is None else found & having.keys()
        if place == 0 or len(having) < len(rarest):
            rarest = having
        if not found:
            return {}
    return {number: (_APART, rarest[number]) for number in found or () if number in rarest}


def _hit(
    connection: sqlite3.Connection, conversation_id: str, row: int, score: float, words: tuple[Word, ...]
) -> SearchHit | None:
    stored = connection.execute("SELECT title, text, kind FROM search WHERE rowid = ?", (row,)).fetchone()
    if stored is None:
        return None
    title, text, kind = stored
    return SearchHit(conversation_id, kind, snippet(unspaced(title or text), words, markdown=kind in _SAID), score)


def _all(connection: sqlite3.Connection, allowed: set[int], limit: int) -> list[SearchHit]:
    """Only fields were given: everything that fits, the newest first."""
    names = _names(connection)
    times: dict[str, float] = dict(connection.execute("SELECT id, updated_at FROM conversations").fetchall())
    wanted = sorted((names[number] for number in allowed), key=lambda name: -times.get(name, 0.0))
    return [SearchHit(name, "title", Snippet(""), 0.0) for name in wanted[:limit]]


def _names(connection: sqlite3.Connection) -> dict[int, str]:
    return dict(connection.execute("SELECT number, conversation_id FROM search_conversations").fetchall())
