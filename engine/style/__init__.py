"""Which of the fair moves is played: pure functions on what a search found."""
