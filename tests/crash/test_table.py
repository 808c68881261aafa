"""Dies at a point, is delivered again: what comes of it."""

from __future__ import annotations


def test_work_that_is_stored_before_the_acknowledgement_starts_over(table):
    assert table("put(m)\nack()") == ["receive safe", "put safe", "ack done"]


def test_what_stands_behind_the_acknowledgement_is_lost(table):
    assert table("ack()\nput(m)") == ["receive safe", "ack lost", "put done"]


def test_behind_a_recorded_result_only_the_rest_is_skipped(table):
    assert table("put(m)\nack()\nput(m)") == [
        "receive safe",
        "put safe",
        "ack incomplete",
        "put done",
    ]


def test_an_effect_happens_twice_until_the_acknowledgement(table):
    assert table("send(m)\nack()") == [
        "receive safe",
        "during send unknown",
        "send repeated",
        "ack done",
    ]


def test_the_callee_knows_a_key_from_the_message(table):
    assert table("keyed(m.key)\nack()") == ["receive safe", "keyed suppressed", "ack done"]


def test_a_ledger_that_is_written_afterwards_leaves_a_window(table):
    assert table("if seen(m):\n    ack()\n    return\nsend(m)\nput(m)\nack()") == [
        "receive safe",
        "seen safe",
        "during send unknown",
        "send unknown",
        "put suppressed",
        "ack done",
    ]


def test_a_claim_stands_in_the_way_of_work_that_was_not_done(table):
    rows = table("if not begin(m):\n    ack()\n    return\nsend(m)\nput(m)\nack()")
    assert rows[1] == "begin unknown"
    assert rows[-2:] == ["put suppressed", "ack done"]


def test_a_claim_that_tells_begun_from_done_sets_aside(card):
    rows = card(
        "if not begin(m):\n    keep(m)\n    ack()\n    return\nsend(m)\nput(m)\nack()"
    ).crash
    told = {row.text for row in rows if row.outcome == "unknown" and not row.during}
    assert told == {"delivered again, begun and not finished: set aside for a person"}


def test_a_declared_ledger_may_have_noted_that_the_work_was_begun(table):
    rows = table("if not admit(m):\n    ack()\n    return\nsend(m)\nput(m)\nack()")
    assert rows[1] == "admit unknown"
    assert rows[-2:] == ["put suppressed", "ack done"]


def test_a_batch_and_the_first_of_its_messages_are_one_step(cards_of, tmp_path):
    file = tmp_path / "app.py"
    file.write_text(
        "import boto3\n\nsqs = boto3.client('sqs')\n\n\ndef main():\n    while True:\n"
        "        for message in sqs.receive_message(QueueUrl='q').get('Messages', []):\n"
        "            print(message['Body'], file=open('/srv/x', 'a'))\n"
        "            sqs.delete_message(QueueUrl='q', ReceiptHandle=message['ReceiptHandle'])\n"
    )
    (card,) = cards_of(file)
    assert [step.event for step in card.chain].count("receive") == 1
    assert card.queues == ("q",)


def test_a_check_that_turns_nobody_away_is_told(card):
    rows = card("if seen(m):\n    free()\nsend(m)\nput(m)\nack()").crash
    assert [row.outcome for row in rows][-2:] == ["unknown", "done"]
    assert "turns nobody away" in rows[-2].text


def test_what_is_not_committed_is_gone(table):
    assert table("note(m)\nack()\ncommit()") == [
        "receive safe",
        "note safe",
        "ack lost",
        "commit done",
    ]


def test_a_write_without_a_commit_in_sight_commits_by_itself(table):
    assert table("note(m)\nack()") == ["receive safe", "note safe", "ack done"]


def test_a_thread_dies_with_its_process(table):
    assert table("later(m)\nack()") == ["receive safe", "later safe", "ack lost"]
    assert table("later(m)\nwait()\nack()")[-1] == "ack done"


def test_a_message_that_is_only_published_afterwards(table):
    assert table("ack()\ntell(m)") == ["receive safe", "ack incomplete", "tell done"]


def test_a_result_under_another_name_each_time(cards_of, tmp_path):

    file = tmp_path / "app.py"
    file.write_text(
        "import time\nimport pathlib\nimport pika\n\n\n"
        "def handle(channel, method, properties, body):\n"
        "    pathlib.Path(f'/srv/{time.time()}.txt').write_bytes(body)\n"
        "    channel.basic_ack(method.delivery_tag)\n\n\n"
        "pika.BlockingConnection().channel().basic_consume('q', handle)\n"
    )
    (card,) = cards_of(file)
    assert [row.outcome for row in card.crash] == ["safe", "repeated", "done"]


def test_a_consumer_without_a_group_goes_on_with_what_is_new(cards_of, tmp_path):
    file = tmp_path / "app.py"
    file.write_text(
        "import requests\nfrom kafka import KafkaConsumer\n\n\ndef watch():\n"
        "    for record in KafkaConsumer('beats'):\n"
        "        requests.post('http://registry/alive', data=record.value)\n"
    )
    (card,) = cards_of(file)
    outcomes = [(row.during, row.outcome) for row in card.crash]
    assert outcomes == [(False, "incomplete"), (True, "unknown"), (False, "done")]


def test_loops_are_gone_through(table):
    assert table("for part in m.parts:\n    send(part)\nack()")[-2:] == [
        "send repeated",
        "ack done",
    ]


def test_the_way_on_which_all_goes_well_is_told(table):
    body = "try:\n    put(m)\nexcept Exception:\n    again()\n    return\nack()"
    assert table(body) == ["receive safe", "put safe", "ack done"]


def test_a_failure_that_goes_back_at_once_loops(failures):
    assert failures("try:\n    put(m)\nexcept Exception:\n    again()\n    return\nack()") == [
        "again loops"
    ]


def test_a_failure_that_waiting_may_heal_is_retried(failures):
    body = "try:\n    put(m)\nexcept TimeoutError:\n    again()\n    return\nack()"
    assert "again retried" in failures(body)


def test_a_failure_that_is_kept_is_set_aside(failures):
    body = "try:\n    put(m)\nexcept Exception:\n    keep(m)\nack()"
    assert failures(body) == ["ack set-aside"]


def test_a_failure_that_is_only_passed_over_is_dropped(failures):
    assert failures("try:\n    put(m)\nexcept Exception:\n    free()\nack()") == ["ack dropped"]


def test_a_failure_that_nobody_catches_leaves_the_message_with_the_broker(failures):
    assert failures("put(m)\nack()") == ["no `except escapes"]


def test_a_claim_whose_answer_nobody_asks_for_is_no_obstacle(table):
    assert table("begin(m)\nput(m)\nack()") == [
        "receive safe",
        "begin safe",
        "put safe",
        "ack done",
    ]


def test_of_a_batch_the_second_run_starts_at_the_message(cards_of, tmp_path):
    """Or the message would seem to end at its own arrival, and nobody to be turned away."""
    file = tmp_path / "app.py"
    file.write_text(
        "import psycopg\nimport redis\nimport requests\n\n"
        "server = redis.Redis()\ndb = psycopg.connect('dbname=toll', autocommit=True)\n\n\n"
        "def work():\n"
        "    for _, entries in server.xreadgroup('g', 'me', {'tolls': '>'}):\n"
        "        for entry, toll in entries:\n"
        "            pay(toll)\n"
        "            server.xack('tolls', 'g', entry)\n\n\n"
        "def pay(toll):\n"
        "    known = db.execute('SELECT 1 FROM paid WHERE toll = %s', (toll['id'],)).fetchone()\n"
        "    if known is not None:\n"
        "        return\n"
        "    requests.post('https://bank.example/debits', json=toll, timeout=9)\n"
        "    db.execute('INSERT INTO paid (toll) VALUES (%s)', (toll['id'],))\n"
    )
    (card,) = cards_of(file)
    assert [row.outcome for row in card.crash][-4:] == ["unknown", "unknown", "suppressed", "done"]


def test_a_delivery_that_is_an_acknowledgement_is_never_with_the_broker(cards_of, tmp_path):
    file = tmp_path / "app.py"
    file.write_text(
        "import redis\n\nserver = redis.Redis()\n\n\ndef work():\n"
        "    _, item = server.blpop('items')\n    server.set('last', item)\n"
    )
    (card,) = cards_of(file)
    assert [(row.step.event, row.outcome) for row in card.crash] == [
        ("ack", "lost"),
        ("persist", "done"),
    ]


# ---- a table as a queue ------------------------------------------------------------------------

LOCK = "SELECT id, note FROM jobs ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"
REMOVE = "DELETE FROM jobs WHERE id = %s"
MARK = "UPDATE jobs SET state = 'done' WHERE id = %s"
KEEP = "INSERT INTO notes (job, note) VALUES (%s, %s)"


def jobs_table(cards_of, tmp_path, *steps: str) -> list[str]:
    file = tmp_path / "app.py"
    code = {
        "lock": f'job = db.execute("{LOCK}").fetchone()',
        "remove": f'db.execute("{REMOVE}", (job[0],))',
        "mark": f'db.execute("{MARK}", (job[0],))',
        "keep": f'db.execute("{KEEP}", job)',
        "commit": "db.commit()",
        "roll back": "db.rollback()",
    }
    lines = "\n".join(f"    {code[step]}" for step in steps)
    file.write_text(
        f"import psycopg\n\n\ndef work():\n    db = psycopg.connect('dbname=jobs')\n{lines}\n"
    )
    (card,) = cards_of(file)
    assert card.queues == ("jobs",)
    return [row.outcome for row in card.crash]


def test_a_row_that_is_removed_with_the_result_is_acknowledged_by_the_commit(cards_of, tmp_path):
    rows = jobs_table(cards_of, tmp_path, "lock", "keep", "remove", "commit")
    assert rows == ["safe", "safe", "safe", "done"]


def test_a_row_that_is_removed_and_committed_first_is_lost(cards_of, tmp_path):
    rows = jobs_table(cards_of, tmp_path, "lock", "remove", "commit", "keep", "commit")
    assert rows == ["safe", "safe", "lost", "lost", "done"]


def test_a_removal_that_is_rolled_back_has_not_happened(cards_of, tmp_path):
    rows = jobs_table(cards_of, tmp_path, "lock", "remove", "roll back", "lock", "keep", "commit")
    assert "lost" not in rows


def test_a_row_that_is_only_marked_comes_back_if_somebody_looks_for_it(cards_of, tmp_path):
    rows = jobs_table(cards_of, tmp_path, "lock", "mark", "commit", "keep", "commit")
    assert rows == ["safe", "safe", "unknown", "unknown", "done"]


def test_a_row_that_is_marked_with_the_result_is_done(cards_of, tmp_path):
    rows = jobs_table(cards_of, tmp_path, "lock", "keep", "mark", "commit")
    assert rows == ["safe", "safe", "safe", "done"]


def test_who_commits_by_a_removal_is_said(cards_of, tmp_path):
    file = tmp_path / "app.py"
    file.write_text(
        "import psycopg\n\ndb = psycopg.connect('dbname=jobs')\n\n\ndef work():\n"
        f'    job = db.execute("{LOCK}").fetchone()\n    db.execute("{REMOVE}", job)\n'
        "    db.commit()\n"
    )
    (card,) = cards_of(file)
    assert card.acknowledges == ("by a commit",)
