from alerts import Alerts
from dask.distributed import Client


class Storms(Alerts):
    @staticmethod
    def handle(body):  # <- handler
        print(body)


def main():  # <- handler
    storms = Storms(Client("scheduler:8786"))
    while True:
        storms.poll()
