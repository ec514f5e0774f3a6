"""What the server keeps: who may enter, what waits to be run, and an index over the reports of runs."""
