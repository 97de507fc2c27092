"""What era a server speaks is found out once."""

from callgate.core.config.settings import SourceSettings
from callgate.core.errors import UserFault
from callgate.core.messages import Json
from callgate.tools.mcp_source.version_cache import VersionCache
from callgate.tools.memory import Forgetful

SERVER = SourceSettings(name="srv", kind="mcp", command=("old-server", "--token", "s3cret"))


def test_an_era_outlives_the_program() -> None:
    memory = Forgetful()
    VersionCache(memory).remember(SERVER, "legacy")
    assert VersionCache(memory).era_of(SERVER) == "legacy"
    assert "s3cret" not in str(memory.read())


def test_another_server_of_the_same_name_is_asked_anew() -> None:
    memory = Forgetful()
    VersionCache(memory).remember(SERVER, "legacy")
    other = SourceSettings(name="srv", kind="mcp", command=("new-server",))
    assert VersionCache(memory).era_of(other) == ""


def test_what_cannot_be_read_or_written_costs_only_the_question() -> None:
    class Broken:
        def read(self) -> Json:
            return ["nonsense", {"srv": 7}]

        def write(self, value: Json) -> None:
            raise UserFault("the disk is full")

    eras = VersionCache(Broken())
    eras.remember(SERVER, "modern")
    assert eras.era_of(SERVER) == "modern"
    memory = Forgetful()
    memory.write({"srv old-server": "ancient"})
    assert VersionCache(memory).era_of(SERVER) == ""
