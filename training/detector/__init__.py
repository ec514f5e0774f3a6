"""How the element detector is trained, exported and scored."""
