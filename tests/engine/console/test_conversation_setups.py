"""Choices for a conversation are remembered, and a broken file loses only what is broken."""

from callgate.engine.console.conversation_service import Setup
from callgate.engine.console.conversation_setups import MOST_KEPT, ConversationSetups
from callgate.tools.memory import Forgetful

SETUP = Setup("gpt-a", "Be brief.", True, ("read_file",))


def test_choices_outlive_the_program() -> None:
    memory = Forgetful()
    ConversationSetups(memory).keep("c1", SETUP)
    again = ConversationSetups(memory)
    assert again.get("c1") == SETUP and again.get("c2") is None
    again.forget("c1")
    assert ConversationSetups(memory).get("c1") is None


def test_what_another_version_wrote_is_left_out_alone() -> None:
    memory = Forgetful()
    memory.write(
        {"bad": [1], "old": {"model": 3}, "good": {"model": "m", "system": "", "use_tools": False, "tools": []}}
    )
    setups = ConversationSetups(memory)
    assert setups.get("good") == Setup("m", "", False) and setups.get("bad") is None and setups.get("old") is None
    memory.write("nonsense")
    assert ConversationSetups(memory).get("good") is None


def test_the_oldest_choice_goes_first() -> None:
    setups = ConversationSetups(Forgetful())
    for number in range(MOST_KEPT + 1):
        setups._setups[f"c{number}"] = SETUP
    setups.keep("fresh", SETUP)
    assert setups.get("c0") is None and setups.get("fresh") == SETUP
