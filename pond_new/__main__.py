"""The entry point: `pond-new` and `python -m pond_new`. The one place that exits.

`--version` is answered before anything heavy is imported (design section 7).
"""

from __future__ import annotations

import sys

from pond_new import __version__


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; errors become words here and nowhere else.

    Returns 0 fine, 1 something the user can fix, 2 wrong usage, 3 a bug of ours, 130 interrupted.
    """
    if arguments == ["--version"]:
        sys.stdout.write(f"pond-new {__version__}\n")
        return 0
    from pond_new.cli import dispatch  # noqa: PLC0415 -- typer costs a quarter of a second

    return dispatch(arguments)


if __name__ == "__main__":
    main()
