"""Rules: what they protect whatever they say."""
