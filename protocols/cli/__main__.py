"""`python -m protocols.cli`."""

from protocols.cli.main import main

main()
