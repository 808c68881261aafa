"""Writes an export of a customer's orders to the bucket."""

import csv
import io

import boto3
from celery import Celery

app = Celery("exports", broker="amqp://", backend="rpc://")
app.conf.update(task_acks_late=True, task_reject_on_worker_lost=True)

bucket = boto3.resource("s3").Bucket("shop-exports")


@app.task
def export_orders(job_id, customer, rows):
    bucket.put_object(Key=f"{customer}/orders-{job_id}.csv", Body=as_csv(rows))


def as_csv(rows):
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
