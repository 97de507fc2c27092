"""The providers, over time: configured or added, their keys, models and checks."""
