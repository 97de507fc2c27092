"""Where tools come from, over time: sources started, watched, edited, and their questions."""
