"""`sparring solve`: exact scores of positions, and how fast they are found."""
