"""The tables `replies` and `reply_items`: what clients may refer to by id instead of sending it back."""

import sqlite3

from callgate.core.events import ReplyKept
from callgate.store.event_json import read_event, write_event


def insert_reply(connection: sqlite3.Connection, event: ReplyKept) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO replies (reply_id, conversation_id, body) VALUES (?, ?, ?)",
        (event.reply_id, event.conversation_id, write_event(event)),
    )
    connection.executemany(
        "INSERT OR REPLACE INTO reply_items (item_id, reply_id) VALUES (?, ?)",
        [(item_id, event.reply_id) for item_id in event.item_ids],
    )


def find_reply(reply_id: str, connection: sqlite3.Connection) -> ReplyKept | None:
    row = connection.execute("SELECT body FROM replies WHERE reply_id = ?", (reply_id,)).fetchone()
    return _read(row)


def find_reply_of_item(item_id: str, connection: sqlite3.Connection) -> ReplyKept | None:
    row = connection.execute(
        "SELECT body FROM replies JOIN reply_items USING (reply_id) WHERE item_id = ?", (item_id,)
    ).fetchone()
    return _read(row)


def forget_replies(connection: sqlite3.Connection, conversation_id: str) -> None:
    connection.execute(
        "DELETE FROM reply_items WHERE reply_id IN (SELECT reply_id FROM replies WHERE conversation_id = ?)",
        (conversation_id,),
    )
    connection.execute("DELETE FROM replies WHERE conversation_id = ?", (conversation_id,))


def _read(row: tuple[str] | None) -> ReplyKept | None:
    event = read_event(row[0]) if row else None
    return event if isinstance(event, ReplyKept) else None
