"""The supervisor: may this step run, and what follows from its result."""
