import ast

from callgate.ui.connect.snippets import snippets


def test_every_example_has_the_real_address() -> None:
    assert all("http://127.0.0.1:9191" in snippet.code for snippet in snippets("http://127.0.0.1:9191", "m"))
    assert [snippet.title for snippet in snippets("x", "m")] == [
        "OpenAI Python",
        "Anthropic",
        "Gemini",
        "curl",
        "Claude Code",
        "Environment",
    ]


def test_python_examples_are_python() -> None:
    for snippet in snippets("http://127.0.0.1:8080", "m")[:3]:
        ast.parse(snippet.code)
        assert '"m"' in snippet.code


def test_openai_gets_the_version_path_and_anthropic_the_root() -> None:
    openai, anthropic, *_ = snippets("http://127.0.0.1:8080", "m")
    assert '"http://127.0.0.1:8080/v1"' in openai.code
    assert '"http://127.0.0.1:8080"' in anthropic.code
