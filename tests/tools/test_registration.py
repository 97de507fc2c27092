import pytest

from callgate.core.errors import BadRequest
from callgate.tools.registration import LARGEST, loopback_problem, read_registration

GOOD = {"name": "look_up", "description": "Looks up.", "callback_url": "http://127.0.0.1:9/cb"}


def test_a_whole_registration_is_read() -> None:
    schema = {"type": "object", "properties": {"child": {"$ref": "#"}}}
    registration = read_registration(
        {
            **GOOD,
            "title": "Look up",
            "inputSchema": schema,
            "referenceName": "look",
            "tags": ["a", "b"],
            "annotations": {"readOnlyHint": True, "destructiveHint": False},
            "persist": True,
            "timeout_seconds": 2.5,
            "userDescription": "For you",
            "icons": ["data:image/png;base64,AA=="],
            "when": "workspaceFolderCount > 0 && !isWindows",
        }
    )
    tool = registration.tool
    assert (tool.name, tool.title, tool.reference, tool.tags, tool.schema) == (
        "look_up", "Look up", "look", ("a", "b"), schema,
    )  # fmt: skip
    assert (tool.annotations.read_only, tool.annotations.destructive, tool.annotations.idempotent) == (
        True,
        False,
        None,
    )
    assert (tool.source, tool.runs, tool.timeout_seconds) == ("registered", "POST http://127.0.0.1:9/cb", 2.5)
    assert (tool.user_description, tool.icons, tool.when) == (
        "For you", ("data:image/png;base64,AA==",), "workspaceFolderCount > 0 && !isWindows",
    )  # fmt: skip
    assert registration.persist and registration.callback_url == GOOD["callback_url"]


def test_a_tool_for_a_person_is_marked_as_one() -> None:
    tool = read_registration({"name": "ask_me", "answered_by": "person"}).tool
    assert (tool.source, tool.tags) == ("a person", ("answered-by-person",))


def test_no_program_can_pass_its_callback_off_as_a_person() -> None:
    assert read_registration({**GOOD, "tags": ["answered-by-person", "x"]}).tool.tags == ("x",)


def test_another_callback_is_another_tool_to_approve() -> None:
    other = {**GOOD, "callback_url": "http://127.0.0.1:10/cb"}
    assert read_registration(GOOD).tool.fingerprint != read_registration(other).tool.fingerprint


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"name": None}, "name"),
        ({"name": "with spaces"}, "name"),
        ({"name": "x" * 200}, "name"),
        ({"name": 7}, "name"),
        ({"description": 7}, "description"),
        ({"inputSchema": []}, "inputSchema"),
        ({"inputSchema": {"type": "wish"}}, "inputSchema"),
        ({"tags": "a"}, "tags"),
        ({"tags": [1]}, "tags[0]"),
        ({"annotations": {"readOnlyHint": "yes"}}, "annotations.readOnlyHint"),
        ({"callback_url": None}, "callback_url"),
        ({"callback_url": "http://example.com/cb"}, "callback_url"),
        ({"answered_by": "robot"}, "answered_by"),
        ({"answered_by": "person"}, "callback_url"),
        ({"persist": "yes"}, "persist"),
        ({"timeout_seconds": 0}, "timeout_seconds"),
        ({"timeout_seconds": 1e9}, "timeout_seconds"),
        ({"referenceName": "two words"}, "referenceName"),
        ({"colour": "red"}, "colour"),
        ({"when": "workspaceFolderCount >"}, "when"),
        ({"icons": "data:,"}, "icons"),
        ({"description": "x" * LARGEST}, "body"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_its_field(more: dict, param: str) -> None:
    with pytest.raises(BadRequest) as bad:
        read_registration({**GOOD, **more})
    assert bad.value.fault.param == param


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:1/x", "http://127.9.9.9/", "https://localhost:8443/cb", "http://[::1]:80/", "HTTP://LOCALHOST/"],
)
def test_this_machine_may_be_called(url: str) -> None:
    assert loopback_problem(url) == ""


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "http://127.0.0.1.example.com/",
        "http://localhost.example.com/",
        "http://10.0.0.1/",
        "http://0.0.0.0/",
        "http://169.254.169.254/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://127.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://127.0.0.1@example.com/",
        "http://me:pw@127.0.0.1/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "127.0.0.1:80",
        "",
        "http://[::1/",
        "http://\u2460\u2461\u2466.0.0.1.example/",
    ],
)
def test_nothing_else_may_be_called(url: str) -> None:
    assert loopback_problem(url)
