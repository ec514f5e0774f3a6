"""`python -m rpa_vision` is `rpa-vision`."""

from rpa_vision.cli.main import main

if __name__ == "__main__":
    main()
