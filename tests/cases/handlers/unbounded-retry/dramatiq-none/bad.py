"""dramatiq retries for ever if it is told so."""
import pathlib

import dramatiq


@dramatiq.actor(max_retries=None)  # <- CL302
def convert(name, text):
    pathlib.Path("/srv/converted", name).write_text(text.upper())
