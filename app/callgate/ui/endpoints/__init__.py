"""Endpoints: who answers, and how a person adds a provider."""
