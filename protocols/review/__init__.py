"""`sparring review` and what measures by it: how natural, good and close recorded games were."""
