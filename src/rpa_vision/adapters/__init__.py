"""The only rooms that touch the world. Each sees ports, models, imaging and errors only."""
