"""What the person has laid down: rules, what they refused, and a place to try them."""
