"""A form made from a JSON Schema, for any panel: `form.SchemaForm` is the door, the rest are its parts."""
