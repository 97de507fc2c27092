"""Small widgets that any panel uses."""
