"""The documents of the five layers and the values that travel between them. Data only, no behaviour with effects."""
