"""Functions of other shapes: a request is no delivery, and one parameter is no event with its context."""

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent, SQSEvent


def on_request(event, context):
    return {"statusCode": 200, "body": APIGatewayProxyEvent(event).body}


def count(event):
    return len(list(SQSEvent(event).records))


def compare(event, context, other):
    return SQSEvent(event) == SQSEvent(other)


def names(event, context):
    return [SQSEvent(context), event["name"]]
