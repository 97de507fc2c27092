"""The window around the panels: docks, toolbar, tray, notices, and leaving."""
