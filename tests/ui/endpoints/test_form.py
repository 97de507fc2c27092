import pytest
from pytestqt.qtbot import QtBot
from tests.fakes.endpoint_service import FakeEndpointService
from tests.ui.endpoints.views import SETTINGS

from callgate.ui.endpoints.form import EndpointForm
from callgate.ui.endpoints.presets import PRESETS, EndpointPreset, preset_of
from callgate.ui.theme.theme import Theme

BY_ID = {preset.id: preset for preset in PRESETS}


@pytest.fixture
def service() -> FakeEndpointService:
    return FakeEndpointService()


@pytest.fixture
def form(service: FakeEndpointService, theme: Theme, qtbot: QtBot) -> EndpointForm:
    form = EndpointForm(service, theme)
    qtbot.addWidget(form)
    form.show()
    return form


def seen(form: EndpointForm) -> list[str]:
    return [str(name) for name, field in form.fields.items() if field.isVisible()]


@pytest.mark.parametrize(
    ("preset", "fields"),
    [
        ("openai", ["name", "key", "typed"]),
        ("vertex-claude", ["name", "project", "location", "key"]),
        ("ollama", ["name", "address", "key"]),
        ("compatible", ["name", "address", "wires", "key"]),
    ],
)
def test_only_what_a_preset_needs_is_asked(form: EndpointForm, preset: str, fields: list[str]) -> None:
    form.start(BY_ID[preset])
    assert seen(form) == fields


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_a_preset_and_what_it_asks_for_make_settings(
    form: EndpointForm, service: FakeEndpointService, preset: EndpointPreset
) -> None:
    form.start(preset)
    if "place" in preset.asks:
        form.project.setText("my-project")
    if preset.id in ("compatible", "llama.cpp"):
        form.address.setText("http://127.0.0.1:8081/v1")
    form.key.setText("sk-1")
    judged = service.judge(form.draft)
    assert form.show_judgement(judged, strict=True), (judged.problems, judged.missing)
    assert judged.settings is not None and judged.settings.models == preset.models
    assert form.typed_key == ("sk-1" if preset.key == "needed" else "")


def test_a_variable_that_is_set_is_offered_and_one_that_is_not_is_said(
    form: EndpointForm, service: FakeEndpointService
) -> None:
    service.variables = frozenset({"OPENAI_API_KEY"})
    form.start(BY_ID["openai"])
    assert form.draft.key == "environment" and form.fields["key_env"].hint == "OPENAI_API_KEY is set."
    form.key_env.setText("NO_SUCH")
    assert "not set where Callgate was started" in form.fields["key_env"].hint
    form.key_env.setText("")
    assert "not the key" in form.fields["key_env"].hint


def test_a_machine_without_a_keyring_says_so(form: EndpointForm) -> None:
    form.start(BY_ID["anthropic"])
    form.set_obstacle("This system has no keyring.")
    assert form.draft.key == "environment"
    form.key_choice.choose("keyring")
    assert "no keyring" in form.fields["typed"].hint and "until Callgate ends" in form.fields["typed"].hint


def test_what_is_missing_is_said_only_once_one_wants_to_go_on(form: EndpointForm, service: FakeEndpointService) -> None:
    form.start(BY_ID["compatible"])
    form.key_choice.choose("keyring")
    form.show_judgement(service.judge(form.draft), strict=False)
    assert form.fields["address"].trouble == "" and form.fields["typed"].trouble == ""
    assert not form.show_judgement(service.judge(form.draft), strict=True)
    assert form.fields["address"].trouble == "The address is needed."
    assert form.fields["typed"].trouble == "The key is needed."


def test_trouble_with_a_hidden_field_brings_it_up(form: EndpointForm, service: FakeEndpointService) -> None:
    form.start(BY_ID["openai"])
    form.models.setText("")
    assert "models" not in seen(form)
    form.show_judgement(service.judge(form.draft), strict=True)
    assert "models" in seen(form) and form.fields["models"].trouble


def test_one_that_is_there_is_loaded_without_its_key(form: EndpointForm, service: FakeEndpointService) -> None:
    form.load(preset_of(SETTINGS), SETTINGS, has_key=True)
    assert form.key.text() == "" and "keep what is there" in form.key.placeholderText()
    judged = service.judge(form.draft)
    assert judged.settings == SETTINGS and form.show_judgement(judged, strict=True)


def test_more_shows_the_rest_behind_what_is_asked(form: EndpointForm) -> None:
    form.start(BY_ID["openai"])
    assert form.more.text() == "More: models, address, protocols, dialect"
    form.more.click()
    assert {"address", "wires", "models", "dialect"} <= set(seen(form))
    assert form.fields["address"].y() > form.more.y() > form.fields["typed"].y()
    form.start(BY_ID["vertex-gemini"])
    assert form.more.text() == "More: models, protocols, dialect"


def test_an_open_line_is_noted_at_the_address(form: EndpointForm, service: FakeEndpointService) -> None:
    form.start(BY_ID["compatible"])
    form.address.setText("http://box.lan/v1")
    form.show_judgement(service.judge(form.draft), strict=False)
    assert "can be read on its way" in form.fields["address"].hint
