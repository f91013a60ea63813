"""forest-explorer: the command line."""

import sys


def main() -> None:
    print("The app is not built yet; use explorer.engine from Python.", file=sys.stderr)
    sys.exit(2)
