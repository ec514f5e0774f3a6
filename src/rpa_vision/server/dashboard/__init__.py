"""The dashboard: one module per page, all of them over the same use cases as the API."""
