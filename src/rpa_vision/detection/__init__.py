"""Layers 1 and 2: from pixels to a ScreenState with its elements."""
