"""JSON as text and as values: written safely, read while incomplete, compared, looked into."""
