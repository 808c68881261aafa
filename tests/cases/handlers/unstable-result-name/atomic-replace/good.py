"""A random temporary name is right if it is moved to a stable one."""
import os
import uuid

import dramatiq


@dramatiq.actor
def snapshot(camera, frame, jpeg):
    scratch = f"/srv/pictures/.{uuid.uuid4().hex}.part"
    with open(scratch, "w") as file:
        file.write(jpeg)
    os.replace(scratch, f"/srv/pictures/{camera}-{frame}.jpg")
