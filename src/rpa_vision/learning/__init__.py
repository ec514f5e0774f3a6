"""What is learned, how mature it is, and its versions."""
