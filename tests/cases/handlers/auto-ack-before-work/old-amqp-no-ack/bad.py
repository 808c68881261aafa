"""py-amqp: no_ack is the third argument."""
import amqp
import pathlib


def on_label(message):
    pathlib.Path("/srv/labels", message.properties["message_id"]).write_bytes(message.body)


with amqp.Connection("mq") as connection:
    channel = connection.channel()
    channel.basic_consume("labels", callback=on_label, no_ack=True)  # <- CL102
    while True:
        connection.drain_events()
