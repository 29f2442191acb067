"""The bot API of Lichess and of its forks."""
