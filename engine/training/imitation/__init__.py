"""Learning what humans would play from the records of their games; grades of such policies."""
