"""The command line: one file a command, each imported only when it is called."""

from __future__ import annotations

import importlib
import os
from typing import Any

import click

from contractlint import __version__

_COMMANDS = {
    "check": "find delivery faults in Python handlers",
    "explain": "print one rule: reason, fix and examples",
    "handlers": "list the handlers, and what happens if the worker dies",
    "journal": "check the journals of workers",
    "messages": "check messages and event streams",
    "rules": "list the rules",
    "schemas": "check a producer's message schemas",
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"contractlint.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            click.echo(_apology(error), err=True)
            ctx.exit(2)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))


def _apology(error: Exception) -> str:
    """Return what to print for an error that nobody foresaw."""
    import traceback

    if os.environ.get("CONTRACTLINT_DEBUG"):
        return traceback.format_exc()
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(last.filename)}:{last.lineno}"
    return (
        f"Error: contractlint broke down at {where} ({type(error).__name__}: {error}). "
        "This is a fault of contractlint; CONTRACTLINT_DEBUG=1 shows how it came about."
    )


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="contractlint")
def main() -> None:
    """Find the faults that lose or double work when a broker delivers at least once."""
