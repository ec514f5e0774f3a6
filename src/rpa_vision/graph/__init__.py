"""Layer 4: from recordings to workflow graphs, and from a live screen to its node."""
