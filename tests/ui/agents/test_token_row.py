"""One token, and what assistive technology hears of it."""

from callgate.engine.console.agent_service import TokenView
from callgate.ui.agents.token_row import TokenRow
from callgate.ui.theme.theme import Theme


def test_its_button_names_whose_token_it_revokes(qapp: object, theme: Theme) -> None:
    row = TokenRow(TokenView("t1", "codex", 0.0, None), 30.0, theme)
    assert row.revoke.accessibleName() == "Revoke this token of codex"
    row.revoke.click()
    assert row.revoke.accessibleName() == "Revoke for good: this token of codex"
