"""What the README promises: linted code is not executed, and nothing is fetched."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

# Writes down every event of the interpreter that would break the promise, in workers as well.
WATCHED = """
import os, sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"):
        with open("broken-promises", "a") as file:
            print(event, arguments[1:], file=file)

sys.addaudithook(watch)
from contractlint.cli import main
main(sys.argv[1:])
"""


def run_watched(*arguments: str) -> dict:
    command = [sys.executable, "-c", WATCHED, *arguments, "--output-format", "json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)


def test_linted_code_is_not_executed(project):
    project.write("helper.py", "open('executed', 'w')\n\ndef save(body):\n    open('x', 'wb')\n")
    project.write(
        "worker.py",
        "import pika\nfrom helper import save\n\nopen('executed', 'w')\n\n"
        "def on_order(channel, method, properties, body):\n"
        "    channel.basic_ack(method.delivery_tag)\n    save(body)\n\n"
        "pika.BlockingConnection().channel().basic_consume('orders', on_order)\n",
    )
    for jobs in ("1", "2"):
        found = run_watched("check", "--no-cache", "--jobs", jobs)["findings"]
        assert [one["code"] for one in found] == ["CL101"]
    assert not (project.root / "executed").exists()


def test_no_connection_is_opened(project):
    assert run_watched("check", "--no-cache", str(EXAMPLES))["findings"]
    assert run_watched("messages", "--stream", str(EXAMPLES / "messages"))["findings"]
    assert not (project.root / "broken-promises").exists()


def test_the_watch_sees(project):
    """The test above can fail."""
    looked_up = WATCHED.replace("from contractlint.cli import main\nmain(sys.argv[1:])", "")
    looked_up += "import socket\nsocket.create_connection(('127.0.0.1', 1))\n"
    subprocess.run([sys.executable, "-c", looked_up], capture_output=True, check=False)
    assert "socket.connect" in (project.root / "broken-promises").read_text()
