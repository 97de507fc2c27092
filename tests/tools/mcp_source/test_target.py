import asyncio
from pathlib import Path

import pytest
from tests.fakes.mcp_sources import settings

from callgate.core.config.settings import SourceSettings
from callgate.core.errors import UserFault
from callgate.tools.mcp_source.placeholders import Placeholders
from callgate.tools.mcp_source.target import CommandTarget, Target, UrlTarget, find_target, parse_env_file


def find(configured: SourceSettings, workspace: Path) -> Target:
    environment = {"HOST": "127.0.0.1:9", "SECRET": "x", "LANG": "C"}
    return asyncio.run(find_target(configured, workspace, environment, Placeholders(workspace, environment)))


def test_a_command_runs_in_the_workspace_unless_told_otherwise(tmp_path: Path) -> None:
    target = find(settings(("run", "${workspaceFolder}")), tmp_path)
    assert isinstance(target, CommandTarget)
    assert (target.argv, target.cwd) == (("run", str(tmp_path)), tmp_path)
    assert find(settings(("run",), cwd="/elsewhere"), tmp_path).cwd == Path("/elsewhere")  # type: ignore[union-attr]


def test_nothing_secret_is_inherited(tmp_path: Path) -> None:
    target = find(settings(("run",)), tmp_path)
    assert isinstance(target, CommandTarget)
    assert target.env == {"LANG": "C"}


@pytest.mark.parametrize(("transport", "kinds"), [("", ("http", "sse")), ("http", ("http",)), ("sse", ("sse",))])
def test_an_address_is_tried_in_the_order_of_its_transports(
    tmp_path: Path, transport: str, kinds: tuple[str, ...]
) -> None:
    target = find(settings(url="http://${HOST}/mcp", transport=transport), tmp_path)
    assert target == UrlTarget("http://127.0.0.1:9/mcp", {}, kinds)  # type: ignore[arg-type]


def test_an_address_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserFault, match="not an http or https address"):
        find(settings(url="${HOST}"), tmp_path)


def test_an_environment_file_is_read_and_the_configured_values_win(tmp_path: Path) -> None:
    (tmp_path / "e").write_text("A=file\nB=file\n", "utf-8")
    target = find(settings(("x",), env_file="e", env={"B": "set"}), tmp_path)
    assert isinstance(target, CommandTarget)
    assert (target.env["A"], target.env["B"]) == ("file", "set")
    with pytest.raises(UserFault, match="can't be read"):
        find(settings(("x",), env_file="missing"), tmp_path)


def test_lines_of_an_environment_file() -> None:
    text = "# c\nA=1\nexport B=\"two words\"\n C = 'x=y' \n\nnonsense\nD=\n"
    assert parse_env_file(text) == {"A": "1", "B": "two words", "C": "x=y", "D": ""}
