from aws_lambda_powertools.utilities.data_classes import (
    DynamoDBStreamEvent,
    S3Event,
    SQSEvent,
    event_source,
)


def on_change(event, context, handler=None):  # <- handler
    for record in DynamoDBStreamEvent(event).records:
        print(record.dynamodb)


@event_source(data_class=SQSEvent)
def on_order(event: SQSEvent, context):  # <- handler
    for record in event.records:
        keep(record)


def on_file(event, _context):  # <- handler
    print(S3Event(event).record)


def keep(record):  # <- handler
    print(record.body)


def on_records(event, context, limit=10):  # <- handler
    for record in event["Records"][:limit]:
        print(record["body"])
