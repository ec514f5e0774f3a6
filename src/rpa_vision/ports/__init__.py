"""Small protocols between the house and the world. No behaviour here; `adapters` implement them."""
