"""Readers and encoders."""
