"""Desktops: real ones, one folder per platform, and a virtual one to work on unseen."""
