from abc import ABC, abstractmethod

import boto3


class Reader(ABC):
    def __init__(self, address):
        self.address = address
        self.sqs = boto3.client("sqs")

    def run(self):  # <- handler
        while True:
            answer = self.sqs.receive_message(QueueUrl=self.address)
            for message in answer["Messages"]:
                self.handle(self.opened(message))
                self.sqs.delete_message(
                    QueueUrl=self.address, ReceiptHandle=message["ReceiptHandle"]
                )

    def opened(self, message):  # <- handler
        return message

    @abstractmethod
    def handle(self, message):
        """Do the work."""


class Late(Reader):
    def handle(self, message):
        raise NotImplementedError("later")


class Early(Reader):
    def handle(self, message):  # <- handler
        print(message["Body"])
