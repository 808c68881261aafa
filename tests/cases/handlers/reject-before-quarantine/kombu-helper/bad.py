import sqlite3

from kombu import Connection, Consumer, Queue

database = sqlite3.connect("/srv/forms.db", isolation_level=None)
forms = Queue("forms", queue_arguments={"x-dead-letter-exchange": "forms.dead"})


def refuse(message, reason):
    message.reject()  # <- CL105
    note(message.properties["message_id"], reason)


def note(name, reason):
    database.execute("INSERT INTO refused (id, reason) VALUES (?, ?)", (name, reason))


def on_form(body, message):
    if "id" not in body:
        refuse(message, "no id")
        return
    database.execute("INSERT OR IGNORE INTO forms (id) VALUES (?)", (body["id"],))
    message.ack()


with Connection("amqp://") as connection, Consumer(connection, [forms], callbacks=[on_form]):
    connection.drain_events()
