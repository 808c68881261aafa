"""A sandbox, a classifier or a chatbot computes its answer and keeps nothing; it may be asked again."""
import pathlib

import httpx
import pika


class CodeSandbox:
    def judge(self, code):
        return httpx.post("http://judge/run", json={"code": code}).json()


class SpamClassifierClient:
    def label(self, text):
        return httpx.post("http://models/spam", json={"text": text}).json()


class ChatbotClient:
    def ask(self, text):
        def request():
            return httpx.post("http://chat/answers", json={"text": text})

        return request().json()


def on_submission(channel, method, properties, body):
    result = CodeSandbox().judge(body.decode())
    pathlib.Path("/srv/results", properties.message_id).write_text(str(result))
    channel.basic_ack(method.delivery_tag)


def on_comment(channel, method, properties, body):
    label = SpamClassifierClient().label(body.decode())
    pathlib.Path("/srv/labels", properties.message_id).write_text(str(label))
    channel.basic_ack(method.delivery_tag)


def on_question(channel, method, properties, body):
    answer = ChatbotClient().ask(body.decode())
    pathlib.Path("/srv/answers", properties.message_id).write_text(str(answer))
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("submissions", on_submission)
channel.basic_consume("comments", on_comment)
channel.basic_consume("questions", on_question)
