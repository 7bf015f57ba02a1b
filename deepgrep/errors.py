"""The one exception that reaches the user."""


class DeepgrepError(Exception):
    """Something the user can act on: one line that says what is wrong, where, and what to do.

    The command line prints it without a traceback and exits with status 2.
    """
