"""The subcommand `sparring train`: options, read into settings of engine.training."""
