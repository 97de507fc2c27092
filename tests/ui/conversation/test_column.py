"""Blocks stand where their places say, and every change is reported once."""

from callgate.ui.conversation.blocks import NoteBlock
from callgate.ui.conversation.column import LAST, Change, Column, Inserted, Place


def note(column: Column, exchange: str, place: Place, text: str = "x") -> NoteBlock:
    return NoteBlock(id=column.id_at(exchange, place), exchange_id=exchange, note="other", text=text)


def put(column: Column, exchange: str, place: Place, text: str = "x") -> str:
    block = note(column, exchange, place, text)
    column.put(block, place)
    return block.id


def test_order_follows_places_not_arrival() -> None:
    column = Column()
    assert column.open("a")
    assert column.open("b")
    assert not column.open("a")
    late = put(column, "b", Place(0))
    end = put(column, "a", Place(LAST))
    start = put(column, "a", Place(1, 0, 2))
    assert [block.id for block in column.blocks] == [start, end, late]
    assert [column.index(block_id) for block_id in (start, end, late)] == [0, 1, 2]
    assert column.take_change() == Change((Inserted(0, 1), Inserted(0, 1), Inserted(0, 1)))


def test_neighbours_are_reported_as_one_range() -> None:
    column = Column()
    column.open("a")
    for part in range(3):
        put(column, "a", Place(1, 0, part))
    assert column.take_change() == Change((Inserted(0, 3),))
    assert not column.take_change()


def test_a_changed_block_gets_the_next_revision_and_the_same_again_changes_nothing() -> None:
    column = Column()
    column.open("a")
    block_id = put(column, "a", Place(1))
    column.take_change()
    put(column, "a", Place(1), "x")
    assert not column.take_change()
    put(column, "a", Place(1), "y")
    assert column.take_change() == Change(changed=(block_id,))
    block = column.get(block_id)
    assert block is not None
    assert block.revision == 1
    assert column.get("nothing") is None
    assert column.place(block_id) == Place(1)
