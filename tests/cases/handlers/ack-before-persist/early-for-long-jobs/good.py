"""A thread keeps the heartbeat alive; the acknowledgement waits for the film."""
import json
import subprocess

import pika


class Renderer:
    def __init__(self):
        parameters = pika.ConnectionParameters("mq", heartbeat=0)
        self.channel = pika.BlockingConnection(parameters).channel()

    def run(self):
        for method, properties, body in self.channel.consume("films"):
            film = json.loads(body)
            subprocess.run(["render", "--out", f"/srv/films/{film['id']}.mp4"], check=True)
            self.channel.basic_ack(method.delivery_tag)


Renderer().run()
