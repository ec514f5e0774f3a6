"""Layer 0: from frames and input events to a recorded session."""
