"""`python -m contractlint`."""

from contractlint.cli import main

if __name__ == "__main__":
    main(prog_name="contractlint")
