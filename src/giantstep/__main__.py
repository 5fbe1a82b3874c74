"""`python -m giantstep` is the same as `giantstep`."""

from giantstep.cli.main import main

if __name__ == "__main__":
    main()
