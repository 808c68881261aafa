"""SET NX claims the appointment; only the one that claimed it writes."""
import smtplib
from email.message import EmailMessage

import dramatiq
import redis

marks = redis.Redis()


class Letters:
    def send(self, address, words):
        letter = EmailMessage()
        letter["To"] = address
        letter.set_content(words)
        with smtplib.SMTP("relay") as relay:
            relay.send_message(letter)


class Reminders(Letters):
    def remind(self, address, day):
        self.send(address, f"Your appointment is on {day}")


@dramatiq.actor
def remind(appointment, address, day):
    if not marks.set(f"reminded:{appointment}", 1, nx=True, ex=604800):
        return
    Reminders().remind(address, day)
