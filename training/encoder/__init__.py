"""How the screen encoder and the calibration of its space are made."""
