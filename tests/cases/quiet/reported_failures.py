"""What failed is in the list that the answer reports, however the answer is put together."""
import boto3

table = boto3.resource("dynamodb").Table("orders")
scheduler = boto3.client("scheduler")


def by_item(event, context):
    answer = {}
    failed = []
    for record in event["Records"]:
        try:
            table.put_item(Item={"id": record["messageId"], "text": record["body"]})
        except Exception:
            failed.append({"itemIdentifier": record["messageId"]})
    answer["batchItemFailures"] = failed
    return answer


def by_literal(event, context):
    failed = []
    for record in event["Records"]:
        try:
            table.put_item(Item={"id": record["messageId"], "text": record["body"]})
        except Exception as error:
            print(error)
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}


def noted_as_well(event, context):
    failed = []
    for record in event["Records"]:
        try:
            table.put_item(Item={"id": record["messageId"], "text": record["body"]})
        except Exception as error:
            failed.append({"itemIdentifier": record["messageId"]})
            try:
                table.put_item(Item={"id": record["messageId"], "error": str(error)})
            except Exception:
                print("not noted")
    return {"batchItemFailures": failed}


def reminded(event, context):
    for record in event["Records"]:
        scheduler.create_schedule(
            Name=record["messageId"],
            ScheduleExpression="at(2030-01-01T00:00:00)",
            FlexibleTimeWindow={"Mode": "OFF"},
            Target={"Arn": "arn", "RoleArn": "role", "Input": record["body"]},
        )
