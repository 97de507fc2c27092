"""Trying a tool by hand."""
