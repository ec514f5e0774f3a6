"""From an edge of the graph to input on the desktop, or a reason not to."""
