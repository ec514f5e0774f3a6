"""Layer 3: fingerprints of screens, their spaces and their indexes."""
