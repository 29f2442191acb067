"""Parts that several trainings share."""
