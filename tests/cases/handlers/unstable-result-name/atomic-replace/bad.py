"""Written under a temporary name, then moved to one that carries the clock."""
import os
from datetime import datetime, timezone

import dramatiq


@dramatiq.actor
def snapshot(camera, jpeg):
    scratch = f"/srv/pictures/.{camera}.part"
    with open(scratch, "w") as file:
        file.write(jpeg)
    os.replace(scratch, f"/srv/pictures/{camera}-{datetime.now(timezone.utc):%H%M%S}.jpg")  # <- CL201
