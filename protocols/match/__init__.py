"""`sparring match`: players against each other, headless, in every game."""
