"""Positions, rules, the record of one game and how it is carried on and judged."""
