import ast

from callgate.ui.connect.snippets import snippets


def test_every_example_has_the_real_address() -> None:
    assert all("http://127.0.0.1:9191" in snippet.code for snippet in snippets("http://127.0.0.1:9191"))
    assert [snippet.title for snippet in snippets("x")] == [
        "OpenAI Python",
        "Anthropic",
        "curl",
        "Claude Code",
        "Environment",
    ]


def test_python_examples_are_python() -> None:
    for snippet in snippets("http://127.0.0.1:8080")[:2]:
        ast.parse(snippet.code)


def test_openai_gets_the_version_path_and_anthropic_the_root() -> None:
    openai, anthropic, *_ = snippets("http://127.0.0.1:8080")
    assert '"http://127.0.0.1:8080/v1"' in openai.code
    assert '"http://127.0.0.1:8080"' in anthropic.code
