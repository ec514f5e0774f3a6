"""The day: one long recording of mixed and noisy work, what is true of it, and how well it was understood."""
