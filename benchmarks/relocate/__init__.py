"""Finding a target again on a changed screen: pairs of screens with truth, rivals, and the table of who was right."""
