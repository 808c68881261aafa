from django.db import models, transaction
from sqlalchemy import select
from sqlalchemy.orm import Session
from tortoise.models import Model

from shop.tables import Job


class Mail(models.Model):
    body = models.TextField()


class Bill(Model):
    pass


def next_job(session: Session):  # <- handler
    job = session.scalars(select(Job).limit(1).with_for_update(skip_locked=True)).first()
    if job is not None:
        work(job)  # a step
        session.commit()


def next_of_a_query(session: Session):  # <- handler
    for job in session.query(Job).with_for_update(skip_locked=True).all():
        deliver(job)


def next_of_a_project_query(session):  # <- handler
    rows = session.execute(shop_select(Job).with_for_update(skip_locked=True))
    deliver(rows.first())


@transaction.atomic
def next_mails():  # <- handler
    for mail in Mail.objects.filter(sent=False).select_for_update(skip_locked=True)[:10]:
        mail.body.strip()


async def next_bill():  # <- handler
    bill = await Bill.filter(paid=False).select_for_update(skip_locked=True).first()
    await charge(bill)


def work(job):  # <- handler
    print(job)
