"""Talking to providers: which one answers a model, and how its bytes come in."""
