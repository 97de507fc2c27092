"""JSON Schemas: checked, reduced to what providers take, and planned as a form."""
