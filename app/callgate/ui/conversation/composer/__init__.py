"""Where the person writes to a model."""
