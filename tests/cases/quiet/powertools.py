"""BatchProcessor of Lambda Powertools names the failed records by itself."""
import boto3
from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    process_partial_response,
)

rows = boto3.resource("dynamodb").Table("rows")
processor = BatchProcessor(event_type=EventType.SQS)


def one(record):
    rows.put_item(Item={"pk": record.json_body["id"], "n": record.json_body["n"]})


def lambda_handler(event, context):
    return process_partial_response(
        event=event, record_handler=one, processor=processor, context=context
    )
