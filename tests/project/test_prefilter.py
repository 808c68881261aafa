"""Whether a file may hold a handler is told from its bytes, the same way at any size."""

import pytest

from contractlint import prefilter
from contractlint.prefilter import WordSearch

WORDS = [b"pika", b".ack(", b"from kafka", b"a+b|c", b"x-y#z", "очередь".encode()]


@pytest.fixture(params=[10**9, 0], ids=["few bytes", "many bytes"])
def search(request, monkeypatch):
    monkeypatch.setattr(prefilter, "_A_LOT", request.param)
    return WordSearch(WORDS)


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_found_anywhere(search, word):
    assert search.found_in(word)
    assert search.found_in(b"\xff\x00\n" * 100 + word + b"\n\xfe")


@pytest.mark.parametrize("text", [b"", b"pik a", b"xack(", b"from  kafka", b"aab", b"c", b"xyz"])
def test_nothing_else_is_found(search, text):
    assert not search.found_in(text)


def test_words_of_a_bundled_file_may_hold_quotes(tmp_path, monkeypatch):
    file = tmp_path / "shelf.toml"
    file.write_text('words = ["\\"Parcels\\"", "\'Parcels\'"]\n', encoding="utf-8")
    monkeypatch.setattr(prefilter, "library_files", lambda: [file])
    search = prefilter.broker_words.__wrapped__()
    assert search.found_in(b'event["Parcels"]')
    assert search.found_in(b"event['Parcels']")
    assert not search.found_in(b"# Parcels come here")
