"""Proven and claimed names look and sound different, and not by colour alone."""

from dataclasses import replace

from PySide6.QtCore import Qt
from tests.fakes.console import NOON, waiting

from callgate.core.agent import OWN_NAME
from callgate.core.calls.tool_facts import ToolFacts
from callgate.core.conversation import ConversationSummary
from callgate.core.rules.rule import Verdict
from callgate.ui.approvals.queue_model import QueueModel
from callgate.ui.approvals.queue_model import Role as QueueRole
from callgate.ui.approvals.waiting import WaitingCall
from callgate.ui.approvals.words import headline, hints, proof
from callgate.ui.conversation.list.model import ConversationListModel, Role
from callgate.ui.widgets.agent_name import has_sign, name_tip, shown_name, spoken_name


def test_a_claim_is_marked_where_the_name_could_be_proven() -> None:
    assert shown_name("codex", False) == "codex"
    assert shown_name("codex", False, registered=True) == "codex (claimed)"
    assert shown_name("codex", True, registered=True) == "codex"
    assert len({spoken_name("codex", proven) for proven in (True, False)}) == 2
    assert not has_sign(OWN_NAME, True) and has_sign("codex", True) and not has_sign("codex", False)


def test_the_process_is_named_and_nothing_hidden_in_it() -> None:
    assert name_tip("codex", True, True, "python3 · pid 7").endswith("Process: python3 · pid 7")
    assert "\u202e" not in name_tip("codex", True, True, "evil\u202e")


def test_the_list_of_conversations_tells_them_apart() -> None:
    model = ConversationListModel(registered=lambda name: name == "codex")
    proven = ConversationSummary("a", "codex", updated_at=NOON, agent_proven=True, agent_process="node · pid 9")
    model.load([proven, ConversationSummary("b", "codex", updated_at=NOON - 1)], ())
    rows = {model.index(row).data(Role.ID): model.index(row) for row in range(model.rowCount())}
    assert (rows["a"].data(Role.WHO), rows["b"].data(Role.WHO)) == ("codex", "codex (claimed)")
    spoken = [rows[key].data(Qt.ItemDataRole.AccessibleTextRole) for key in "ab"]
    assert "proven by its token" in spoken[0] and "claimed without the token" in spoken[1]
    assert "node · pid 9" in rows["a"].data(Qt.ItemDataRole.ToolTipRole)


def test_the_queue_and_the_card_tell_them_apart() -> None:
    model = QueueModel(lambda: NOON, registered=lambda name: True)
    claimed = waiting("read_file")
    model.set_calls((WaitingCall(replace(claimed, agent_proven=True), NOON),))
    index = model.index(0)
    assert index.data(QueueRole.PROVEN) and index.data(QueueRole.AGENT) == claimed.agent
    assert "proven by its token" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "(claimed)" in headline(claimed, registered=True)
    assert proof(claimed) != proof(replace(claimed, agent_proven=True))


def test_where_a_proof_would_have_made_the_difference_the_card_says_how_to_get_one() -> None:
    call = replace(waiting("read_file"), verdict=Verdict("ask", "the name is claimed", needs_proof=True))
    assert any("token" in hint.words and "Agents" in hint.words for hint in hints(call, ToolFacts()))
    assert not any("token" in hint.words for hint in hints(waiting("read_file"), ToolFacts()))
