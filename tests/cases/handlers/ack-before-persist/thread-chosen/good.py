"""Whichever function is chosen, it acknowledges when it is done."""
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
    pathlib.Path("/srv/films", film.message_id).write_bytes(film.data)
    film.ack()


def cut(film):
    pathlib.Path("/srv/trailers", film.message_id).write_bytes(film.data)
    film.ack()


def mix(film):
    pathlib.Path("/srv/mixes", film.message_id).write_bytes(film.data)
    film.ack()


def master(film):
    pathlib.Path("/srv/masters", film.message_id).write_bytes(film.data)
    film.ack()


subscriber.subscribe("projects/p/subscriptions/films", callback=on_film)
subscriber.subscribe("projects/p/subscriptions/songs", callback=on_song)
