"""The configuration: what it says when it is right, and where it is wrong when it is not."""

from pathlib import Path

import platformdirs
import pytest

from callgate.core.config.settings import Settings
from callgate.store.files.config_file import ConfigFault, ConfigFile, find_config, read_config

GOOD = """\
[server]
host = "127.0.0.1"
port = 9090
rate_limit = ""

[gate]
client_tools = "ask"
deadline_seconds = 300
tools_enabled = true

[[upstreams]]
name = "openai"
wire = "openai-chat"
base_url = "https://api.openai.com/v1"
key_env = "OPENAI_API_KEY"
models = ["gpt-*"]

[[upstreams]]
name = "vertex-claude"
wire = ["anthropic", "gemini"]
vertex = { project = "p", location = "us-east5" }

[[sources]]
name = "git"
kind = "mcp"
command = ["mcp-server-git", "--verbose"]

[[rules]]
verdict = "allow"
tool = "read_file"
when = 'args.path:/tmp/**'
expires = 2030-01-01T00:00:00Z
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "callgate.toml"


def read(path: Path, text: str) -> Settings:
    path.write_text(text, encoding="utf-8")
    return read_config(path, {})


def fault_of(path: Path, text: str) -> ConfigFault:
    with pytest.raises(ConfigFault) as caught:
        read(path, text)
    return caught.value


def test_a_whole_configuration_is_read(config: Path) -> None:
    settings = read(config, GOOD)
    assert settings.server.port == 9090
    assert [upstream.wire for upstream in settings.upstreams] == [("openai-chat",), ("anthropic", "gemini")]
    assert settings.upstreams[0].models == ("gpt-*",)
    assert settings.sources[0].command == ("mcp-server-git", "--verbose")
    assert settings.rules[0].expires == "2030-01-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("text", "line", "key", "expected"),
    [
        ('[server]\nport = "8080"\n', 2, "server.port", "expected a whole number from 0 to 65535"),
        ("[server]\n\n# hi\nprot = 1\n", 4, "server.prot", "did you mean 'port'?"),
        ("[servr]\nport = 1\n", 1, "servr", "did you mean 'server'?"),
        (
            '[[upstreams]]\nname="a"\nwire="anthropic"\nbase_url="x"\n\n[[upstreams]]\nname="b"\nwire="soap"\nbase_url="x"',
            8,
            "upstreams[1].wire",
            "expected one of 'openai-chat'",
        ),
        (
            '[[upstreams]]\nname="a"\nwire="anthropic"\nbase_url="x"\nmodels=[\n"a",\n3]',
            7,
            "upstreams[0].models[1]",
            "text",
        ),
        (
            '[[upstreams]]\nname="a"\nwire="gemini"\nvertex = {project="p", location="l", zone="z"}',
            4,
            "upstreams[0].vertex.zone",
            "expected one of: project, location",
        ),
        ('[[upstreams]]\nname="a"\nwire="gemini"', 1, "upstreams[0]", "base_url is missing"),
        ('\n[[rules]]\ntool = "x"', 2, "rules[0].verdict", "must be given"),
        ('[[rules]]\nverdict="deny"\nexpires = "soon"', 3, "rules[0].expires", "expected a time such as"),
        ("[server\nport = 1", 1, "", "not valid TOML, expected"),
        ("[server]\nport = \n", 2, "port", "not valid TOML, expected"),
        ("[server]\nport = 1\nport = 2\n", 3, "port", "not valid TOML"),
        ('[server]\nhost = "abc', 2, "host", "not valid TOML"),
    ],
)
def test_a_mistake_is_told_with_file_line_key_and_expectation(
    config: Path, text: str, line: int, key: str, expected: str
) -> None:
    fault = fault_of(config, text)
    (problem,) = fault.problems
    assert (problem.line, problem.key) == (line, key)
    assert expected in problem.message
    place = f"{config}, line {line}: {key}: " if key else f"{config}, line {line}: "
    assert str(fault).startswith(place)


def test_settings_spelled_as_one_quoted_key_are_read_and_their_mistakes_have_lines(config: Path) -> None:
    text = '# hi\n"chat.tools.global.minutes" = 5\n["chat.tools.edits.autoApprove"]\n"**/*.md" = true\n'
    assert read(config, text).chat.tools.edits.auto_approve == {"**/*.md": True}
    (problem,) = fault_of(config, text + '"a" = 3\n').problems
    assert (problem.line, problem.key) == (5, "chat.tools.edits.autoApprove.a")
    (problem,) = fault_of(config, '# hi\n"chat.tools.global.autoApprove" = true\n').problems
    assert (problem.line, problem.key) == (2, "chat.tools.global")


def test_a_name_given_twice_is_told_at_its_second_place_with_the_first(config: Path) -> None:
    one = '[[sources]]\nname = "git"\nkind = "mcp"\nurl = "http://127.0.0.1:1"\n'
    fault = fault_of(config, one + one)
    (problem,) = fault.problems
    assert (problem.line, problem.key) == (6, "sources[1].name")
    assert "'git' is already taken on line 2" in problem.message


def test_all_mistakes_are_told_in_the_order_of_the_file(config: Path) -> None:
    fault = fault_of(config, '[gate]\ntools_enabled = 1\n[server]\nport = "x"\nhots = "h"\n')
    assert [problem.line for problem in fault.problems] == [2, 4, 5]
    assert len(str(fault).splitlines()) == 3


def test_a_secret_written_into_the_file_is_not_repeated(config: Path) -> None:
    text = '[[upstreams]]\nname="a"\nwire="gemini"\nbase_url="x"\nkey = "hunter2"\napi_key = "hunter3"\n'
    assert "hunter" not in str(fault_of(config, text))


def test_a_file_with_windows_line_ends_and_byte_order_mark_is_read(config: Path) -> None:
    config.write_bytes(b"\xef\xbb\xbf[server]\r\nport = 1234\r\n")
    assert read_config(config, {}).server.port == 1234
    config.write_bytes(b"[server]\r\n\r\nport = 'x'\r\n")
    with pytest.raises(ConfigFault, match=r"line 3: server\.port"):
        read_config(config, {})


def test_bytes_that_are_not_utf8_are_told_with_their_line(config: Path) -> None:
    config.write_bytes(b"[server]\nhost = '\xe4'\n")
    with pytest.raises(ConfigFault, match="line 2: expected UTF-8"):
        read_config(config, {})


def test_a_file_that_is_not_there_is_told_by_name(config: Path) -> None:
    with pytest.raises(ConfigFault, match=r"callgate\.toml, the file cannot be read: No such file"):
        read_config(config, {})


def test_no_file_means_all_defaults() -> None:
    assert read_config(None, {}) == Settings()


def test_an_explicit_file_is_taken_even_if_missing_so_that_its_absence_is_told(tmp_path: Path) -> None:
    assert find_config(tmp_path / "other.toml") == tmp_path / "other.toml"


def test_the_persons_own_file_is_found_in_the_usual_folder() -> None:
    assert find_config() is None
    usual = platformdirs.user_config_path("callgate", appauthor=False) / "callgate.toml"
    usual.parent.mkdir(parents=True)
    usual.touch()
    assert find_config() == usual


@pytest.mark.parametrize("word", ["false", "0", "no", "False", " NO "])
def test_the_environment_switches_tools_off(config: Path, word: str) -> None:
    config.write_text("[gate]\ntools_enabled = true\n", encoding="utf-8")
    assert not read_config(config, {"CALLGATE_ENABLE_TOOLS": word}).gate.tools_enabled
    assert not read_config(None, {"CALLGATE_ENABLE_TOOLS": word}).gate.tools_enabled


@pytest.mark.parametrize("word", ["", "true", "1", "yes"])
def test_the_environment_does_not_switch_on_what_the_file_switches_off(config: Path, word: str) -> None:
    config.write_text("[gate]\ntools_enabled = false\n", encoding="utf-8")
    assert not read_config(config, {"CALLGATE_ENABLE_TOOLS": word}).gate.tools_enabled
    assert read_config(None, {"CALLGATE_ENABLE_TOOLS": word}).gate.tools_enabled


def test_a_misspelt_switch_is_refused_not_ignored() -> None:
    with pytest.raises(ConfigFault, match="CALLGATE_ENABLE_TOOLS: expected true or false, got 'flase'"):
        read_config(None, {"CALLGATE_ENABLE_TOOLS": "flase"})


def test_a_bad_file_leaves_the_last_good_settings_in_force(config: Path) -> None:
    config.write_text("[server]\nport = 1\n", encoding="utf-8")
    file = ConfigFile(config, {})
    config.write_text("[server]\nport = 'two'\n", encoding="utf-8")
    fault = file.reload()
    assert fault is not None
    assert "line 2" in str(fault)
    assert file.current.server.port == 1
    config.unlink()
    assert file.reload() is not None
    assert file.current.server.port == 1
    config.write_text("[server]\nport = 2\n", encoding="utf-8")
    assert file.reload() is None
    assert file.current.server.port == 2


def test_a_first_file_that_is_bad_is_refused(config: Path) -> None:
    config.write_text("nonsense", encoding="utf-8")
    with pytest.raises(ConfigFault):
        ConfigFile(config, {})
