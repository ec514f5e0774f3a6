"""Vector files and indexes."""
