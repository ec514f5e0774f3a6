"""Training of models, outside this process."""
