"""Games: positions, rule sets, settings, records, clocks, adjudication and network inputs."""
