"""Ways of finding a recorded target again, one file each, all pure."""
