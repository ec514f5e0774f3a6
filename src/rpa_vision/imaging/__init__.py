"""Pure functions on pixels: difference, settling, coding, drawing. No files, no clocks."""
