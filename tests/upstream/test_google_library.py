import subprocess
import sys
from pathlib import Path

import google.auth.exceptions
import pytest

from callgate.core.errors import UserFault
from callgate.upstream.google_library import application_default, explained


def test_the_credentials_are_those_of_googles_own_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "adc.json"
    file.write_text(
        '{"type": "authorized_user", "client_id": "i", "client_secret": "s", "refresh_token": "r", '
        '"quota_project_id": "billed"}',
        "utf-8",
    )
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(file))
    credentials = application_default()
    assert getattr(credentials, "quota_project_id", "") == "billed"
    assert not credentials.valid


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "nowhere.json"))
    with pytest.raises(UserFault, match="GOOGLE_APPLICATION_CREDENTIALS") as said, explained():
        application_default()
    assert isinstance(said.value.__cause__, google.auth.exceptions.DefaultCredentialsError)


def test_who_uses_no_vertex_never_loads_it() -> None:
    look = "import sys, callgate.runtime.runtime; print('google.auth' in sys.modules, 'cryptography' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.split() == ["False", "False"]
