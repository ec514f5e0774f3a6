"""How a learned workflow fares when the application changes: real runs, judged by the application's own data."""
