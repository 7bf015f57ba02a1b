"""`python -m deepgrep`."""

from deepgrep.cli import main

main()
