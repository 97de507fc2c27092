"""Text for people: differences, terminal output, fuzzy search, highlighting."""
