"""Acknowledged early, "because the job is long": the classic reason."""
import json
import subprocess

import pika


class Renderer:
    def __init__(self):
        parameters = pika.ConnectionParameters("mq", heartbeat=30)
        self.channel = pika.BlockingConnection(parameters).channel()

    def run(self):
        for method, properties, body in self.channel.consume("films"):
            self.channel.basic_ack(method.delivery_tag)  # <- CL101
            film = json.loads(body)
            subprocess.run(["render", "--out", f"/srv/films/{film['id']}.mp4"], check=True)


Renderer().run()
