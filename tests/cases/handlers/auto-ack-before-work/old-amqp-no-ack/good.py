"""With an acknowledgement after the file."""
import amqp
import pathlib


def on_label(message):
    pathlib.Path("/srv/labels", message.properties["message_id"]).write_bytes(message.body)
    message.channel.basic_ack(message.delivery_tag)


with amqp.Connection("mq") as connection:
    channel = connection.channel()
    channel.basic_consume("labels", callback=on_label)
    while True:
        connection.drain_events()
