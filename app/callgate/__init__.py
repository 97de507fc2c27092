"""Callgate: a desktop console for tool calling.

agents, SDKs, CLIs ──HTTP──► proxy ─┐               ┌─► upstream ─► OpenAI-like, Responses, Anthropic, Gemini, demo
MCP clients ─────────/mcp──► proxy ─┼──► engine ────┼─► tools    ─► built-in, MCP servers, commands, over HTTP
the person ◄─────────────────► ui ──┘               └─► store    ─► SQLite, keyring, TOML

core = what things are (pure values)   wire = how they are spelled (pure codecs)   app.py = who is plugged into whom
"""

__version__ = "0.1.0"
