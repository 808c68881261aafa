"""Somebody else is asked whether it is newer."""

from celery import shared_task
from django.db import models

from shop.ordering import refuse_older


class Price(models.Model):
    sku = models.CharField(max_length=20)
    pence = models.IntegerField()


@shared_task(acks_late=True)
def set_price(event):
    refuse_older(event["sku"], event["updated_at"])
    Price.objects.filter(sku=event["sku"]).update(pence=event["pence"])
