"""A tiny weather station."""
