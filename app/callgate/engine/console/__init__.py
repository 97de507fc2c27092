"""What the window and the terminal may ask of the engine."""
