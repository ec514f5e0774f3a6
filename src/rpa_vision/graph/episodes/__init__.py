"""Episodes: a session's events as deeds, and the routines among them."""
