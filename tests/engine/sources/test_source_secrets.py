from tests.fakes.on_loop import on_loop
from tests.fakes.secret_shelf import SecretShelf

from callgate.engine.sources.source_secrets import SourceSecrets


@on_loop
async def test_values_outlive_the_vault_where_there_is_a_keyring() -> None:
    shelf = SecretShelf()
    assert await SourceSecrets(shelf).keep("s", {"a": "1", "b": "2"}) == ""
    later = SourceSecrets(shelf)
    assert await later.values("s", ("a", "b", "c")) == {"a": "1", "b": "2"}
    await later.forget("s", ("a",))
    assert await later.value("s", "a") is None
    assert await later.value("other", "b") is None


@on_loop
async def test_without_a_keyring_they_are_kept_for_the_run_and_that_is_said() -> None:
    vault = SourceSecrets(SecretShelf(locked=True))
    assert "will be asked for" in await vault.keep("s", {"a": "1"})
    assert await vault.value("s", "a") == "1"
    assert await vault.value("s", "other") is None
    await vault.forget("s", ("a",))
    assert await vault.value("s", "a") is None
