import pytest

from callgate.core.catalog.when import Value
from callgate.core.config.settings import Settings
from callgate.tools.conditions import facts

SETTINGS = Settings.model_validate(
    {"server": {"token": "secret", "port": 9}, "chat": {"tools": {"eligibleForAutoApproval": {"x": False}}}}
)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("workspaceFolderCount", 1),
        ("platform", "mac"),
        ("isMac", True),
        ("isLinux", False),
        ("config.server.port", 9),
        ("config.gate.tools_enabled", True),
        ("config.chat.tools.eligibleForAutoApproval.x", False),
        ("config.server.token", None),
        ("config.server", None),
        ("config.sources", None),
        ("config.server.port.deeper", None),
        ("config.", None),
        ("nothing", None),
    ],
)
def test_conditions_can_ask_for_what_is_known_and_for_no_secret(key: str, expected: Value | None) -> None:
    assert facts(SETTINGS, 1, "darwin")(key) == expected
