"""Callgate: a desktop console for tool calling.

agents, SDKs, CLIs ──HTTP──► proxy ─┐               ┌─► upstream ─► OpenAI, Anthropic, Gemini, Ollama, demo
MCP clients ─────────/mcp──► proxy ─┼──► engine ────┼─► tools    ─► built-in, MCP servers, commands, over HTTP
the person ◄─────────────────► ui ──┘               └─► store    ─► SQLite, keyring, TOML

core = what things are (pure values)   wire = how they are encoded (pure codecs)   runtime = how they are joined
"""

__version__ = "0.2.0"
