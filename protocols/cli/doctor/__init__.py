"""`sparring doctor`: the state of this installation on one page."""
