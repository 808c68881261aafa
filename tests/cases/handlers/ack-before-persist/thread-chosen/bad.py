"""Which function the thread runs is chosen beforehand; most acknowledge before their work."""
import pathlib
import threading
from concurrent.futures import ThreadPoolExecutor

from google.cloud import pubsub_v1

subscriber = pubsub_v1.SubscriberClient()
pool = ThreadPoolExecutor()


def on_film(film):
    if film.attributes.get("urgent"):
        target = cut_now
    else:
        target = cut
    threading.Thread(target=target, args=(film,)).start()


def on_song(song):
    pool.submit(mix if song.attributes.get("loud") else master, song)


def cut_now(film):
    film.ack()  # <- CL101
    pathlib.Path("/srv/films", film.message_id).write_bytes(film.data)


def cut(film):
    film.ack()  # <- CL101
    pathlib.Path("/srv/trailers", film.message_id).write_bytes(film.data)


def mix(film):
    film.ack()  # <- CL101
    pathlib.Path("/srv/mixes", film.message_id).write_bytes(film.data)


def master(film):
    pathlib.Path("/srv/masters", film.message_id).write_bytes(film.data)
    film.ack()


subscriber.subscribe("projects/p/subscriptions/films", callback=on_film)
subscriber.subscribe("projects/p/subscriptions/songs", callback=on_song)
