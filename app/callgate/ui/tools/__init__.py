"""The tool browser: every tool of the catalog, found as you type, explained, switched on or off."""
