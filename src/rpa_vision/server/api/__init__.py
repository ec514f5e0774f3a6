"""The REST API: one module per kind of thing, each a router."""
