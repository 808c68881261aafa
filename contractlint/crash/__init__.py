"""What happens if the worker dies right here: the crash table of a handler."""
