"""Where the time of a conversation went: events folded into bars on lanes."""
