"""A project's own rule, in three lines, holds for code and journals alike."""

SETTINGS = """
[[rule]]
code = "SHOP001"
name = "shipped-without-proof"
summary = "{marked} ships before the payment is proved"
pattern = ["receive ...not(version_check) !ship", "receive ...not(evidence) !ship"]

[events]
ship = ["shop.ship"]
evidence = ["shop.paid"]
version_check = ["shop.is_current"]

[journal.events]
version_checked = "version_check"
payment_proved = "evidence"
shipped = "ship"
"""

CODE = """
import pika
import shop

def on_order(channel, method, properties, body):
    shop.is_current(body)
    shop.ship(body)
    channel.basic_ack(method.delivery_tag)

def start(channel):
    channel.basic_consume("orders", on_order)
"""


def journal(*steps):
    events = ["received", *steps, "result_saved", "ack_sent"]
    extra = {"received": ', "attempt": 1', "result_saved": ', "resultKey": "r"'}
    return "".join(
        f'{{"event": "{event}", "jobId": "o1"{extra.get(event, "")}}}\n' for event in events
    )


def test_it_is_found_in_both_and_not_where_both_conditions_came_first(project, run):
    project.write("contractlint.toml", SETTINGS)
    project.write("worker.py", CODE)
    project.write("bad.jsonl", journal("version_checked", "shipped"))
    project.write("good.jsonl", journal("version_checked", "payment_proved", "shipped"))
    in_code = run("check", "worker.py", "--select", "SHOP001", "--output-format", "json")
    assert [one["line"] for one in in_code.document["findings"]] == [7]
    in_journal = run("journal", "bad.jsonl", "--output-format", "json")
    assert [(one["code"], one["line"]) for one in in_journal.document["findings"]] == [
        ("SHOP001", 3)
    ]
    assert run("journal", "good.jsonl").exit_code == 0


def test_a_step_that_is_not_mapped_keeps_its_name(project, run):
    project.write("contractlint.toml", SETTINGS.replace('shipped = "ship"\n', ""))
    project.write("bad.jsonl", journal("ship"))
    assert "SHOP001" in run("journal", "bad.jsonl").out


def test_sarif_describes_it(project, run):
    project.write("contractlint.toml", SETTINGS)
    project.write("bad.jsonl", journal("shipped"))
    [report] = run("journal", "bad.jsonl", "--output-format", "sarif").document["runs"]
    [described] = [one for one in report["tool"]["driver"]["rules"] if one["id"] == "SHOP001"]
    assert described["name"] == "shipped-without-proof"
