"""What the window has from the desktop: a shortcut that works everywhere, and whether the screen is locked."""
