"""What a secret looks like: by the name that it stands under, and by its own shape. The one table for all of them."""
