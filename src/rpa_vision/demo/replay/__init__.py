"""A form with twenty-five things to do, and a robot that does them: how fast, how surely, at which try."""
