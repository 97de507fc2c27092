"""How to point each kind of program at Callgate, as text to copy. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snippet:
    title: str
    code: str
    note: str = ""


def snippets(address: str, model: str) -> tuple[Snippet, ...]:
    """One for each usual way in, with the real address and a model that answers there."""
    return (*_in_python(address, model), *_in_a_shell(address, model))


def _in_python(address: str, model: str) -> tuple[Snippet, ...]:
    return (
        Snippet(
            "OpenAI Python",
            f"""from openai import OpenAI

client = OpenAI(base_url="{address}/v1", api_key="any")
reply = client.chat.completions.create(
    model="{model}",
    messages=[{{"role": "user", "content": "What is in this folder?"}}],
    extra_body={{"use_tools": True, "tool_execution": "auto"}},
)
print(reply.choices[0].message.content)""",
            "extra_body lends the model the tools on the left; leave it out to watch your own tools only.",
        ),
        Snippet(
            "Anthropic",
            f"""from anthropic import Anthropic

client = Anthropic(base_url="{address}", api_key="any")
message = client.messages.create(
    model="{model}",
    max_tokens=1024,
    messages=[{{"role": "user", "content": "What is in this folder?"}}],
)
print(message.content[0].text)""",
            "Without /v1: the SDK adds it. An endpoint with a key of its own uses that; else yours is passed on.",
        ),
        Snippet(
            "Gemini",
            f"""from google import genai

client = genai.Client(api_key="any", http_options={{"base_url": "{address}"}})
reply = client.models.generate_content(
    model="{model}",
    contents="What is in this folder?",
)
print(reply.text)""",
            "Without a version: the SDK adds it. Any program can ask for any model here, whatever protocol it speaks.",
        ),
    )


def _in_a_shell(address: str, model: str) -> tuple[Snippet, ...]:
    return (
        Snippet(
            "curl",
            f"""curl {address}/v1/chat/completions \\
  -H 'content-type: application/json' \\
  -d '{{"model": "{model}", "use_tools": true, "tool_execution": "auto",
       "messages": [{{"role": "user", "content": "What is in this folder?"}}]}}'""",
            "The answer comes when you have decided the calls that wait.",
        ),
        Snippet(
            "Claude Code",
            f"""ANTHROPIC_BASE_URL={address} claude""",
            "Its own tools are shown and held for your decision before Claude Code runs them.",
        ),
        Snippet(
            "Environment",
            f"""export OPENAI_BASE_URL={address}/v1
export ANTHROPIC_BASE_URL={address}
export GOOGLE_GEMINI_BASE_URL={address}""",
            "Most SDKs and agents read these; keys are passed on as they are and never kept.",
        ),
    )
