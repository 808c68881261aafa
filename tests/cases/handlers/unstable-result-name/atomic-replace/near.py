"""A temporary directory is thrown away."""
import pathlib
import shutil
import tempfile

import dramatiq


@dramatiq.actor
def snapshot(camera, frame, jpeg):
    with tempfile.TemporaryDirectory() as folder:
        part = pathlib.Path(folder) / "frame.jpg"
        part.write_text(jpeg)
        shutil.move(part, f"/srv/pictures/{camera}-{frame}.jpg")
