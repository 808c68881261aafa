from celery import shared_task
from django.db import models


class Price(models.Model):
    sku = models.CharField(max_length=20)
    pence = models.IntegerField()
    updated_at = models.DateTimeField()


@shared_task(acks_late=True)
def set_price(event):
    Price.objects.filter(sku=event["sku"]).update(  # <- CL504
        pence=event["pence"], updated_at=event["updated_at"]
    )
