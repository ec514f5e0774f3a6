"""Screens with exact truth, drawn by real toolkits."""
