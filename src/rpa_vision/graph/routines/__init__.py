"""Routines: what was done again and again in a long, noisy, interleaved sequence of deeds."""
