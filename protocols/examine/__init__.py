"""`sparring examine`: how well a network plays and judges positions whose outcome is known."""
