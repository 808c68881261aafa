"""Library files: every bundled one loads, and a mistake is told with file, line and expectation."""

from __future__ import annotations

import pytest

from contractlint.bundled import bundled
from contractlint.prefilter import broker_words, library_files
from contractlint.vocabulary import load_vocabulary
from contractlint.vocabulary.reading import VocabularyError, read_library

FILES = sorted((bundled("rules") / "libraries").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_bundled_library_loads_and_says_something(file):
    library = read_library(file)
    assert library.name
    assert library.versions
    assert library.calls or library.handlers or library.raises


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_library_that_delivers_messages_has_words(file):
    """Without a word of its own a file with its handlers would never be parsed."""
    library = read_library(file)
    receives = any(call.event and call.event.event == "receive" for call in library.calls)
    if receives or library.handlers:
        assert library.words


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_options_that_are_asked_for_exist(file):
    """A condition on an option that no call of the library has would never hold."""
    library = read_library(file)
    known = {option.name for call in library.calls for option in call.options}
    known |= {option.name for handler in library.handlers for option in handler.options}
    known |= {option.name for spec in library.raises for option in spec.options}
    asked: set[str] = set()
    for call in library.calls:
        for spec in (call.event, *call.cases, *call.before, *call.then):
            asked |= {name for name, _ in spec.when} if spec is not None else set()
    for handler in library.handlers:
        for spec in (*handler.entry, *handler.success, *handler.failure):
            asked |= {name for name, _ in spec.when}
    assert asked <= known


def test_all_libraries_together():
    vocabulary = load_vocabulary()
    assert vocabulary.call("pika.Channel.basic_ack")
    assert len(library_files()) == len(FILES)


def test_one_class_has_many_names():
    vocabulary = load_vocabulary()
    name = "pika.adapters.blocking_connection.BlockingChannel"
    assert vocabulary.canonical(f"{name}.basic_ack") == "pika.Channel.basic_ack"
    assert vocabulary.call(f"{name}.basic_ack") is vocabulary.call("pika.Channel.basic_ack")


def test_what_is_not_found_on_a_class_is_looked_up_on_its_base():
    vocabulary = load_vocabulary()
    assert vocabulary.call("redis.asyncio.Redis.xack") is not None


def test_an_unknown_name_is_unknown():
    vocabulary = load_vocabulary()
    assert vocabulary.call("pika.Channel.no_such_method") is None
    assert vocabulary.call("nothing.at_all") is None


@pytest.mark.parametrize("word", [b"basic_ack", b"import pika", b"xreadgroup", b"celery"])
def test_the_prefilter_knows_the_words(word):
    assert broker_words(()).found_in(b"x = 1\n" + word + b"\n")


def test_the_prefilter_lets_other_files_be():
    assert not broker_words(()).found_in(b"import json\nprint(json.dumps({}))\n")


# -- mistakes -----------------------------------------------------------------------------------

HEAD = 'library = "ourq"\nversions = "1"\nwords = ["ourq"]\n\n'


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('versions = "1"\n', 0, "'library' must be a non-empty string"),
        ('library = ""\n', 1, "'library' must be a non-empty string"),
        ("library = 3\n", 1, "'library' must be a non-empty string"),
        ('libary = "ourq"\n', 1, "no key 'libary'"),
        (HEAD + "[call]\nnames = ['ourq.ack']\n", 5, "[[call]]"),
        (HEAD + "[[call]]\nevent = 'ack'\n", 5, "needs 'names'"),
        (HEAD + "[[call]]\nnames = ['ourq.ack']\nevnt = 'ack'\n", 7, "no key 'evnt'"),
        (HEAD + "[[call]]\nnames = [3]\n", 6, "'names' must be a list of strings"),
        (HEAD + "[[call]]\nnames = ['ourq.ack']\nsinks = ['a b']\n", 7, "'a b' is no argument"),
        (HEAD + "[[call]]\nnames = ['ourq.ack']\nwhen = 3\nevent = 'ack'\n", 7, "'when' must be"),
        (
            HEAD + "[[call]]\nnames = ['o.a']\nevent = 'ack'\nattributes = { by = 1 }\n",
            8,
            "attributes of an event are strings",
        ),
        (
            HEAD + "[[call]]\nnames = ['o.a']\ncases = [{ wen = { x = 1 } }]\n",
            7,
            "an event in 'cases' has no key 'wen'",
        ),
        (
            HEAD + "[[call]]\nnames = ['o.a']\ncontext = { exits = [] }\n",
            7,
            "'context' has no key 'exits'",
        ),
        (HEAD + "[[handler]]\ndecorators = ['ourq.task']\n", 6, "no key 'decorators'"),
        (HEAD + "[[raise]]\nname = ['ourq.Retry']\n", 6, "no key 'name'"),
        (HEAD + "[[attribute]]\nname = ['ourq.M.x']\n", 6, "no key 'name'"),
        (HEAD + "[[call]]\nnames = ['ourq.ack'\nevent = 'ack'\n", 7, ""),
        (HEAD + "library = 'again'\n", 5, ""),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path, text, line, said):
    file = tmp_path / "ourq.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(VocabularyError) as caught:
        read_library(file)
    assert (caught.value.path, caught.value.line) == (str(file), line)
    assert said in caught.value.message


@pytest.mark.parametrize("key", ["evnt", "wrds"])
def test_a_wrong_key_is_told_with_those_that_exist(tmp_path, key):
    file = tmp_path / "ourq.toml"
    file.write_text(f'library = "ourq"\n{key} = "x"\n', encoding="utf-8")
    with pytest.raises(VocabularyError, match=r"expected one of .*library.*words"):
        read_library(file)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(VocabularyError, match="No such file"):
        read_library(tmp_path / "none.toml")


def test_a_file_that_is_not_utf_8(tmp_path):
    file = tmp_path / "ourq.toml"
    file.write_bytes(b'library = "\xff"\n')
    with pytest.raises(VocabularyError, match="utf-8"):
        read_library(file)


@pytest.mark.parametrize(
    "classes", ["'ourq.Q' = ['ourq.Q']\n", "'ourq.Q' = ['ourq.R']\n'ourq.R' = ['ourq.Q']\n"]
)
def test_classes_that_name_each_other_are_no_endless_loop(tmp_path, classes):
    file = tmp_path / "ourq.toml"
    call = "[[call]]\nnames = ['ourq.Q.done']\nevent = 'ack'\n"
    file.write_text(f"library = 'ourq'\n[classes]\n{classes}{call}", encoding="utf-8")
    assert load_vocabulary((str(file),)).call("ourq.Q.done") is not None


