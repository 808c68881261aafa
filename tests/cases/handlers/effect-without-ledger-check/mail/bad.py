"""A mail at each delivery, sent by a helper in a base class."""
import smtplib
from email.message import EmailMessage

import dramatiq


class Letters:
    def send(self, address, words):
        letter = EmailMessage()
        letter["To"] = address
        letter.set_content(words)
        with smtplib.SMTP("relay") as relay:
            relay.send_message(letter)  # <- CL401


class Reminders(Letters):
    def remind(self, address, day):
        self.send(address, f"Your appointment is on {day}")


@dramatiq.actor
def remind(address, day):
    Reminders().remind(address, day)
