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
CALL = HEAD + "[[call]]\nnames = ['o.a']\n"


def mistakes(folder, text):
    """What `read_library` says of a file with this text, as (line, message)."""
    file = folder / "ourq.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(VocabularyError) as caught:
        read_library(file)
    assert {one.path for one in caught.value.problems} == {file.as_posix()}
    return [(one.line, one.message) for one in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('versions = "1"\n', 1, '"library" is a required property'),
        ('library = ""\n', 1, "library: "),
        ("library = 3\n", 1, 'library: 3 is not of type "string"'),
        ('library = "ourq"\nwords = [""]\n', 2, "words.0: "),
        ('library = "ourq"\nwrds = "x"\n', 2, "no key 'wrds'; did you mean 'words'?"),
        ('library = "ourq"\nevnt = "x"\n', 2, "expected one of attribute, bases, call"),
        (HEAD + "[classes]\n'o.Q' = 'o.Queue'\n", 6, "classes.o.Q: "),
        (HEAD + "[classes]\n'o.Q.R' = ['o.Q']\n", 6, "'o.Q.R' is inside of 'o.Q'"),
        (HEAD + "[bases]\n'o.Q' = 'o.B'\n", 6, 'is not of type "array"'),
        (HEAD + "[call]\nnames = ['o.a']\n", 5, 'is not of type "array"'),
        (HEAD + "[[call]]\nevent = 'ack'\n", 5, '"names" is a required property'),
        (HEAD + "[[call]]\nnames = [3]\n", 6, 'names.0: 3 is not of type "string"'),
        (HEAD.replace("words", "call = [3]\nwords"), 3, 'call.0: 3 is not of type "object"'),
        (CALL + "evnt = 'ack'\n", 7, "no key 'evnt'; did you mean 'event'?"),
        (CALL + "event = 3\n", 7, 'event: 3 is not of type "string"'),
        (CALL + "event = 'persits'\n", 7, "expected an event such as persist"),
        (CALL + "event = 'ack'\nattributes = 'x'\n", 8, "attributes: "),
        (CALL + "event = 'ack'\nattributes = { by = 1 }\n", 8, "attributes.by: "),
        (CALL + "event = 'ack'\nwhen = 3\n", 8, 'when: 3 is not of type "object"'),
        (CALL + "event = 'ack'\nwhen = { kep = true }\n", 8, "'kep', which is no option"),
        (CALL + "options = 3\n", 7, "options: "),
        (CALL + "options = { x = 3 }\n", 7, "options.x: "),
        (CALL + "options = { x = { argument = 'a b' } }\n", 7, "'a b' is no argument"),
        (CALL + "sinks = ['a b']\n", 7, "expected name, name@1 or @0[key]"),
        (CALL + "cases = [3]\n", 7, "cases.0: "),
        (CALL + "cases = [{ event = '', wen = { x = 1 } }]\n", 7, "no key 'wen'"),
        (CALL + "context = 3\n", 7, "context: "),
        (CALL + "context = { exits = [] }\n", 7, "no key 'exits'; did you mean 'exit'?"),
        (CALL + "returns = 3\n", 7, "returns: "),
        (CALL + "batch = 'x'\n", 7, "batch: "),
        (CALL + "result = 'found'\n", 7, "result: "),
        (CALL + "labels = ['instable']\n", 7, "labels.0: "),
        (CALL + "bare = true\nreceiver = '('\n", 8, "'(' is no regular expression"),
        (HEAD + "[[handler]]\nshape = 3\n", 6, "shape: "),
        (HEAD + "[[handler]]\nshape = { last = '(' }\n", 6, "is no regular expression"),
        (HEAD + "[[handler]]\ndecorators = ['o.task']\n", 6, "did you mean 'decorator'?"),
        (HEAD + "[[raise]]\nname = ['o.Retry']\n", 6, "no key 'name'"),
        (HEAD + "[[attribute]]\nname = ['o.M.x']\n", 6, "no key 'name'"),
        (HEAD + "[[call]]\nnames = ['o.a'\nevent = 'ack'\n", 7, "not valid TOML"),
        (HEAD + "library = 'again'\n", 5, "not valid TOML"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path, text, line, said):
    told = mistakes(tmp_path, text)
    assert any(where == line and said in message for where, message in told), told


def test_all_mistakes_of_a_file_are_told(tmp_path):
    told = mistakes(tmp_path, CALL + "evnt = 'ack'\nbatch = 'x'\n[[raise]]\nnames = 3\n")
    assert [line for line, _ in told] == [7, 8, 10]


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(VocabularyError, match="No such file"):
        read_library(tmp_path / "none.toml")


def test_a_file_that_is_not_utf_8(tmp_path):
    file = tmp_path / "ourq.toml"
    file.write_bytes(b'library = "\xff"\n')
    with pytest.raises(VocabularyError, match="not UTF-8"):
        read_library(file)


@pytest.mark.parametrize(
    "classes", ["'ourq.Q' = ['ourq.Q']\n", "'ourq.Q' = ['ourq.R']\n'ourq.R' = ['ourq.Q']\n"]
)
def test_classes_that_name_each_other_are_no_endless_loop(tmp_path, classes):
    file = tmp_path / "ourq.toml"
    call = "[[call]]\nnames = ['ourq.Q.done']\nevent = 'ack'\n"
    file.write_text(f"library = 'ourq'\n[classes]\n{classes}{call}", encoding="utf-8")
    assert load_vocabulary((str(file),)).call("ourq.Q.done") is not None
