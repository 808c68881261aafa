"""quixstreams commits what has been through the pipeline."""
import pathlib

from quixstreams import Application

app = Application(broker_address="k:9092", consumer_group="g")
frame = app.dataframe(app.topic("letters"))


def keep(letter: dict):
    pathlib.Path("/srv/letters", letter["id"]).write_text(letter["text"])


frame.update(keep)
app.run()
