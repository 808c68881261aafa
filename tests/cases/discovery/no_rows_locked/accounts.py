"""Rows are locked, and waited for: somebody asked for these, nothing is delivered."""

from django.db import models, transaction
from sqlalchemy import select
from sqlalchemy.orm import Session

from shop.tables import Account


class Stock(models.Model):
    left = models.IntegerField()


def pay(session: Session, number, amount):
    account = session.scalars(select(Account).where(id=number).with_for_update()).one()
    account.balance -= amount


def pay_or_fail(session: Session, number, amount, skip_locked=False):
    account = session.query(Account).with_for_update(nowait=True, skip_locked=False).one()
    account.balance -= amount


@transaction.atomic
def take(number):
    stock = Stock.objects.select_for_update(skip_locked=False).get(id=number)
    stock.left -= 1
    stock.save()
