"""Built-in tools: what Callgate itself can do in the workspace, one file per category."""
