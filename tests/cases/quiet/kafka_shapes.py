"""Kafka loops: errors of the client, end of a partition, commits per batch, seek on failure."""
import json
import signal

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from atlas import draw

running = True


def stop(*_):
    global running
    running = False


def main():
    signal.signal(signal.SIGTERM, stop)
    consumer = Consumer({"group.id": "a", "bootstrap.servers": "k", "enable.auto.commit": False})
    consumer.subscribe(["tiles"])
    try:
        while running:
            message = consumer.poll(1.0)
            if message is None:
                continue
            error = message.error()
            if error:
                if error.code() == KafkaError._PARTITION_EOF:
                    continue
                raise KafkaException(error)
            try:
                draw(json.loads(message.value()))
            except ConnectionError:
                consumer.seek(TopicPartition(message.topic(), message.partition(), message.offset()))
                continue
            consumer.commit(message=message, asynchronous=False)
    finally:
        consumer.close()


main()
