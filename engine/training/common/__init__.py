"""Parts shared by several trainings."""
