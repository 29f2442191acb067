"""Networks for Go: from a teacher's judgement of quick games, and from human games."""
