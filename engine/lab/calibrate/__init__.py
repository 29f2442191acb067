"""The ladder of a network, measured by games among its levels."""
