"""The subcommands of crosscheck.py. Each module has `add_arguments(parser)` and `check(arguments) -> Result`."""
