"""Styles and endings: choose among the allowed moves by pure functions of search results."""
