"""Hooks and monitoring stand beside the work; a failure in them is none of it."""
import logging

import pika

import ourjobs
import ourwatch


class Worker:
    def __init__(self, hooks):
        self.hooks = hooks

    def on_job(self, channel, method, properties, body):
        ourjobs.run(body)
        self._run_post_hooks(body)
        self._add_monitoring(body)
        channel.basic_ack(method.delivery_tag)

    def _add_monitoring(self, body):
        try:
            ourwatch.note(body)
        except Exception:
            logging.exception("not watched")

    def _run_post_hooks(self, body):
        for hook in self.hooks:
            try:
                hook(body)
            except Exception:
                logging.exception("a hook failed")

    def on_task(self, channel, method, properties, body):
        ourjobs.do(body)
        self.call_hooks(body)
        channel.basic_ack(method.delivery_tag)

    def call_hooks(self, body):
        try:
            ourwatch.begin(body)
        except (OSError, ValueError):
            logging.warning("no hook")


worker = Worker(ourwatch.hooks())
channel = pika.BlockingConnection().channel()
channel.basic_consume("jobs", worker.on_job)
channel.basic_consume("tasks", worker.on_task)
