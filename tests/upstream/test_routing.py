import pytest

from callgate.core.errors import BadRequest, UserFault
from callgate.core.request import WireName
from callgate.upstream.endpoint import Endpoint
from callgate.upstream.routing import Routing


def endpoint(name: str, *wires: WireName, models: tuple[str, ...] = ("*",)) -> Endpoint:
    return Endpoint(name, wires or ("openai-chat",), "http://x.test", models)


def test_the_first_endpoint_that_serves_the_model_is_picked() -> None:
    routing = Routing([endpoint("a", models=("gpt-*",)), endpoint("b", models=("claude-*",)), endpoint("c")])
    assert routing.pick("claude-1", "openai-chat").endpoint.name == "b"
    assert routing.pick("other", "openai-chat").endpoint.name == "c"


def test_an_endpoint_that_speaks_the_clients_wire_goes_first() -> None:
    routing = Routing([endpoint("chat", "openai-chat"), endpoint("native", "anthropic", "openai-chat")])
    route = routing.pick("claude", "anthropic")
    assert (route.endpoint.name, route.wire) == ("native", "anthropic")


def test_without_one_the_first_endpoint_answers_on_its_own_first_wire() -> None:
    route = Routing([endpoint("a", "openai-responses", "openai-chat"), endpoint("b")]).pick("m", "gemini")
    assert (route.endpoint.name, route.wire, route.model) == ("a", "openai-responses", "m")


def test_a_name_before_a_slash_picks_that_endpoint_and_is_cut_off() -> None:
    routing = Routing([endpoint("a"), endpoint("local", models=("qwen*",))])
    route = routing.pick("local/meta/llama", "openai-chat")
    assert (route.endpoint.name, route.model) == ("local", "meta/llama")


def test_a_slash_that_names_no_endpoint_belongs_to_the_model() -> None:
    route = Routing([endpoint("router", models=("meta/*",))]).pick("meta/llama", "openai-chat")
    assert route.model == "meta/llama"


def test_an_unknown_model_is_refused_with_what_is_known() -> None:
    routing = Routing([endpoint("a", models=("gpt-*", "o3"))])
    with pytest.raises(BadRequest, match=r"'claude' does not exist here. Known are: gpt-\* \(a\), o3 \(a\)") as refused:
        routing.pick("claude", "openai-chat")
    fault = refused.value.fault
    assert (fault.kind, fault.code, fault.param) == ("not_found", "model_not_found", "model")


def test_a_long_list_of_models_is_cut() -> None:
    routing = Routing([endpoint("a", models=tuple(f"m{number}" for number in range(50)))])
    with pytest.raises(BadRequest, match="and 30 more"):
        routing.pick("x", "openai-chat")


def test_plain_names_are_listed_and_globs_are_not() -> None:
    one, two = endpoint("a", models=("gpt-5", "gpt-*")), endpoint("b", models=("o3",))
    assert Routing([one, two]).models() == [(one, "gpt-5"), (two, "o3")]


def test_the_first_endpoint_is_the_default() -> None:
    assert Routing([endpoint("a"), endpoint("b")]).default.name == "a"
    with pytest.raises(UserFault, match="no upstream"):
        _ = Routing([]).default


def test_other_endpoints_count_from_the_next_request_on() -> None:
    routing = Routing([endpoint("old")])
    given = routing.pick("m", "openai-chat")
    routing.replace([endpoint("new"), endpoint("old", models=("rare",))])
    assert (routing.default.name, routing.pick("m", "openai-chat").endpoint.name) == ("new", "new")
    assert given.endpoint.name == "old", "what is under way stays with the one it was given"
    routing.replace([])
    with pytest.raises(UserFault):
        _ = routing.default


def test_endpoints_are_found_by_their_name_and_by_what_they_speak() -> None:
    routing = Routing([endpoint("a"), endpoint("g", "gemini"), endpoint("h", "gemini", "openai-chat")])
    found = routing.named("h")
    assert found is not None and found.name == "h" and routing.named("z") is None
    chat, gemini = routing.speaker("openai-chat"), routing.speaker("gemini")
    assert chat is not None and gemini is not None and (chat.name, gemini.name) == ("a", "g")
    assert routing.speaker("anthropic") is None


@pytest.mark.parametrize(
    ("entries", "model", "picked"),
    [
        (("*", "gpt-4"), "gpt-4", "gpt-4"),
        (("*", "gpt-*", "gpt-4*"), "gpt-4o", "gpt-4*"),
        (("gpt-*", "gpt-4", "*"), "gpt-5", "gpt-*"),
        (("gpt-*o", "gpt-4?"), "gpt-4o", "gpt-4?"),
        (("*", "?"), "x", "?"),
        (("*", "[a-c]*"), "b1", "[a-c]*"),
        (("m*", "m[1]"), "m[1]", "m[1]"),
    ],
)
@pytest.mark.parametrize("backwards", [False, True])
def test_the_more_specific_entry_beats_the_less_whatever_the_order(
    entries: tuple[str, ...], model: str, picked: str, backwards: bool
) -> None:
    endpoints = [endpoint(glob, models=(glob,)) for glob in entries]
    routing = Routing(reversed(endpoints) if backwards else endpoints)
    assert routing.pick(model, "openai-chat").endpoint.name == picked


def test_an_exact_name_beats_a_wildcard_endpoint_that_speaks_the_clients_wire() -> None:
    routing = Routing([endpoint("native", "anthropic"), endpoint("exact", "openai-chat", models=("claude-x",))])
    route = routing.pick("claude-x", "anthropic")
    assert (route.endpoint.name, route.wire) == ("exact", "openai-chat")
    assert routing.pick("claude-y", "anthropic").endpoint.name == "native"


def test_of_equally_specific_entries_the_clients_wire_decides_and_then_the_order() -> None:
    routing = Routing(
        [endpoint("a", models=("m-*",)), endpoint("b", "anthropic", models=("m-*",)), endpoint("c", models=("m-*",))]
    )
    assert routing.pick("m-1", "anthropic").endpoint.name == "b"
    assert routing.pick("m-1", "openai-chat").endpoint.name == "a"
    assert routing.pick("m-1", "gemini").endpoint.name == "a"


def test_an_endpoint_ranks_by_the_best_of_its_entries() -> None:
    routing = Routing([endpoint("a", models=("gpt-4*",)), endpoint("b", models=("*", "gpt-4o"))])
    assert routing.pick("gpt-4o", "openai-chat").endpoint.name == "b"
    assert routing.pick("gpt-4-mini", "openai-chat").endpoint.name == "a"
