"""`sparring calibrate`: how strong a network's levels are, by games among them, as a ladder."""
