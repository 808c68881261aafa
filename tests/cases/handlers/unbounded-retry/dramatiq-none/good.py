"""A limit of one's own."""
import pathlib

import dramatiq


@dramatiq.actor(max_retries=6)
def convert(name, text):
    pathlib.Path("/srv/converted", name).write_text(text.upper())
