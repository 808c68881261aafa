"""Commands that leave the same behind however often they are run on the other machine."""
import json

import paramiko
import pika
from fabric import Connection


def on_host(channel, method, properties, body):
    host = json.loads(body)["host"]
    conn = Connection(host, user="deploy")
    conn.run("mkdir -p /srv/app/releases")
    conn.run("chmod +x /srv/app/start.sh")
    conn.sudo("systemctl enable app")
    channel.basic_ack(method.delivery_tag)


def on_key(channel, method, properties, body):
    client = paramiko.SSHClient()
    client.connect(json.loads(body)["host"])
    client.exec_command("sudo chown -R app:app /srv/app")
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("hosts", on_host)
channel.basic_consume("keys", on_key)
