"""Text and JSON on the screen: read only, whole, with hidden characters made visible."""
