import pytest
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import sample_conversation

from callgate.ui.bridge import Bridge
from callgate.ui.conversation.newest import NewestConversation
from callgate.ui.conversation.panel import ConversationPanel
from callgate.ui.theme.theme import Theme


@pytest.fixture
def panel(console: FakeConsole, bridge: Bridge, theme: Theme) -> ConversationPanel:
    return ConversationPanel(console, bridge, theme)


def test_the_newest_conversation_is_shown_until_the_person_chooses(
    panel: ConversationPanel, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    async def scenario() -> None:
        newest = NewestConversation(bridge, panel)
        for name in ("conv_1", "conv_2"):
            console.play(sample_conversation(name))
            bridge.flush()
            assert panel.conversation == name
        newest.stop()
        console.play(sample_conversation("conv_3"))
        bridge.flush()
        assert panel.conversation == "conv_2"

    loop.run(scenario())
    loop.settle()
