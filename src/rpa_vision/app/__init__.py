"""Use cases, one verb each, and wiring.py, the one place that builds things."""
