"""With two whole pictures at hand: which thing of the second a box of the first has become, or none."""
