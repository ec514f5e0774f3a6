"""How the net that pairs the things of two screens is made."""
