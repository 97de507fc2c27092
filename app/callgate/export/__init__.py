"""Conversations as files: Callgate's own, HAR, OpenTelemetry, HTML, Markdown, and back in again."""
