import asyncio
from pathlib import Path

from callgate.core.events import ReplyKept
from callgate.core.messages import Message, Text, say
from callgate.core.request import ChatRequest, ChatResponse, Choice
from callgate.store.database import Database
from callgate.store.journal import Journal

REPLY = ReplyKept(
    "resp_1",
    "exch_1",
    "conv_1",
    ChatRequest("openai-responses", "m", (say("user", "hi"),)),
    ChatResponse("resp_1", "m", (Choice(Message("assistant", (Text("hello"),)), "stop"),)),
    1.0,
    item_ids=("msg_1", "msg_2"),
)


def test_a_reply_is_found_by_its_id_and_by_its_items_after_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        database = Database(tmp_path / "a.db")
        journal = Journal(database)
        journal.record(REPLY)
        await journal.settled()
        database.close()
        database = Database(tmp_path / "a.db")
        journal = Journal(database)
        assert await journal.reply("resp_1") == REPLY
        assert await journal.reply_of_item("msg_2") == REPLY
        assert await journal.reply("resp_2") is None
        database.close()

    asyncio.run(asyncio.wait_for(scenario(), 5))


def test_a_forgotten_conversation_takes_its_replies_with_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        database = Database(tmp_path / "a.db")
        journal = Journal(database)
        journal.record(REPLY)
        await journal.forget("conv_1")
        assert await journal.reply("resp_1") is None
        assert await journal.reply_of_item("msg_1") is None
        database.close()

    asyncio.run(asyncio.wait_for(scenario(), 5))
