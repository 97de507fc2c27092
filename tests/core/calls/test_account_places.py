"""Places that no project owns."""

import pytest

from callgate.core.calls.risk import is_of_account


@pytest.mark.parametrize(
    "path",
    [
        "/etc/hosts",
        "/usr/local/bin/x",
        "/opt/../etc/passwd",
        "~/.ssh/authorized_keys",
        "$HOME/.profile",
        "${HOME}/.config/x",
        "/home/ada/.bashrc",
        "/root/.vimrc",
        "/Users/ada/Library/LaunchAgents/x.plist",
        "C:\\Windows\\System32\\drivers\\etc\\hosts",
        "c:/Users/ada/AppData/Roaming/x",
        "file:///etc/hosts",
        "../other/x",
        "a/../../x",
    ],
)
def test_the_computers_and_the_accounts_own_places_are_known(path: str) -> None:
    assert is_of_account(path)


@pytest.mark.parametrize(
    "path",
    ["src/a.py", "./x", "a/../b", "/home/ada/project/.env", "/tmp/x", "/w/etc/hosts", "/dev/null", "~/notes.txt", ""],
)
def test_what_a_project_may_own_is_not_among_them(path: str) -> None:
    assert not is_of_account(path)
