"""Reading text: values, flaws, places, and what hostile text costs."""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contractlint.messages import documents
from contractlint.messages.documents import (
    MAX_DEPTH,
    DocumentError,
    Place,
    escape,
    nodes,
    read_json,
)
from contractlint.messages.yaml_reader import read_yaml

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def pointers(value: object, pointer: str = "") -> list[str]:
    entries = value.items() if isinstance(value, dict) else ()
    entries = enumerate(value) if isinstance(value, list) else entries
    below = [place for step, one in entries for place in pointers(one, f"{pointer}/{escape(step)}")]
    return [pointer, *below]


@given(values, st.sampled_from([None, 1]))
def test_every_value_has_a_place(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    document = read_json(text.encode())
    assert document.value == value
    assert document.flaws == ()
    assert sorted(node.pointer for node in nodes(text) if not node.is_key) == sorted(
        pointers(value)
    )


def test_a_place_is_the_first_character_of_the_value() -> None:
    document = read_json(b'{"a": [1,\n  {"b/c": "x"}]}')
    assert document.place("/a/1/b~1c") == Place(2, 11)
    assert document.place("/a/1/missing/deeper") == Place(2, 3)


@pytest.mark.parametrize(
    ("text", "check", "pointer", "place"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "duplicate-json-key", "/a", (1, 18)),
        ('{"a": {"b": 1,\n "b": 1}}', "duplicate-json-key", "/a/b", (2, 2)),
        ('{"a": [NaN]}', "not-a-number", "/a/0", (1, 8)),
        ('{"a": -Infinity}', "not-a-number", "/a", (1, 7)),
        ('{"a": 9007199254740992}', "unsafe-integer", "/a", (1, 7)),
        ('{"a": -9007199254740992}', "unsafe-integer", "/a", (1, 7)),
    ],
)
def test_flaws_of_json(text: str, check: str, pointer: str, place: tuple[int, int]) -> None:
    (flaw,) = read_json(text.encode()).flaws
    assert (flaw.check, flaw.pointer, flaw.place) == (check, pointer, place)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 9007199254740991}',
        '{"a": "9007199254740993"}',
        '{"a": "NaN"}',
        '[{"a": 1}, {"a": 1}]',
        '{"a": 1.2345678901234567890}',
        '{"a": 1e300}',
        '{"a": "\\"a\\": 1", "b": ":"}',
    ],
)
def test_what_only_looks_like_a_flaw(text: str) -> None:
    assert read_json(text.encode()).flaws == ()


@pytest.mark.parametrize(
    ("data", "message", "place"),
    [
        (b'{"a": 1,\n "b": }', "expecting value", (2, 7)),
        (b'{"a": "\xff"}', "0xff is not UTF-8", (1, 8)),
        ('{"a": 1}'.encode("utf-16"), "UTF-16", (1, 1)),
        ('{"a": 1}'.encode("utf-16-le"), "UTF-16", (1, 1)),
        (b'{"a": "b', "unterminated string", (1, 7)),
        (b'{"a": 1} x', "extra data", (1, 10)),
        (b"", "expecting value", (1, 1)),
        (b"[" * 100_000, f"deeper than {MAX_DEPTH} levels", (1, MAX_DEPTH + 1)),
        (b'{"a":' * 100_000, f"deeper than {MAX_DEPTH} levels", (1, 5 * MAX_DEPTH + 1)),
        (b'{"a": ' + b"1" * 100_000 + b"}", "more than 4000 digits", (1, 7)),
    ],
)
def test_unreadable_json(data: bytes, message: str, place: tuple[int, int]) -> None:
    with pytest.raises(DocumentError) as caught:
        read_json(data)
    assert message in caught.value.message
    assert caught.value.place == place


def test_a_byte_order_mark_is_no_fault() -> None:
    assert read_json(b'\xef\xbb\xbf{"a": 1}').value == {"a": 1}


def test_a_long_line_is_read_in_linear_time() -> None:
    text = json.dumps({"a": '\\"' * 1_000_000, "b": list(range(300_000)), "c": 10**17}).encode()
    started = time.monotonic()
    document = read_json(text)
    assert [flaw.pointer for flaw in document.flaws] == ["/c"]
    assert time.monotonic() - started < 20


def test_yaml_is_read_as_json_data() -> None:
    text = "a: [1, 0x10, 1.5, true, ~, 2025-01-31]\nb: {c: text}\n---\nd: 1\n"
    first, second = read_yaml(text)
    assert first.value == {"a": [1, 16, 1.5, True, None, "2025-01-31"], "b": {"c": "text"}}
    assert first.place("/b/c") == Place(2, 8)
    assert second.value == {"d": 1}
    assert second.place("/d") == Place(4, 4)


@pytest.mark.parametrize(
    ("text", "check", "pointer"),
    [
        ("a: 1\na: 2\n", "duplicate-json-key", "/a"),
        ("a: .nan\n", "not-a-number", "/a"),
        ("a: [9007199254740992]\n", "unsafe-integer", "/a/0"),
    ],
)
def test_flaws_of_yaml(text: str, check: str, pointer: str) -> None:
    ((flaw,),) = [document.flaws for document in read_yaml(text)]
    assert (flaw.check, flaw.pointer) == (check, pointer)


def _bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for level in range(1, 12):
        aliases = ", ".join([f"*a{level - 1}"] * 10)
        lines.append(f"a{level}: &a{level} [{aliases}]")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (_bomb(), "aliases expand too far"),
        ("a: &a [*a]", "refers to itself"),
        ("a: !!python/object/apply:os.getcwd []", "is no JSON type"),
        ("a: !!binary aGk=", "is no JSON type"),
        ("[1, 2]: 3", "a name must be a string"),
        ("a: [", "not YAML"),
        ("[" * 5000, "nested"),
        ("a: \x07", "not YAML"),
    ],
)
def test_unreadable_yaml(text: str, message: str) -> None:
    started = time.monotonic()
    with pytest.raises(DocumentError, match=message):
        list(read_yaml(text))
    assert time.monotonic() - started < 20


# ---- two decoders, one answer --------------------------------------------------------------------

_SPACE = st.text(" \t", max_size=2)
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**18), 10**18),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=6),
    st.sampled_from([":", '":', " :", "\\", "0" * 16, "{}", "\ud800"]),
)


@st.composite
def _texts(draw, depth: int = 3) -> str:
    """JSON with odd spaces, and now and then a name that stands twice."""
    kind = draw(st.sampled_from(["scalar", "object", "array"] if depth else ["scalar"]))
    if kind == "scalar":
        return json.dumps(draw(_SCALARS), ensure_ascii=draw(st.booleans()))
    inner = draw(st.lists(_texts(depth - 1), max_size=3))
    if kind == "array":
        return "[" + ",".join(inner) + "]"
    names = draw(st.lists(st.sampled_from(["a", "b", ":", "c d"]), min_size=3, max_size=3))
    members = [
        f"{json.dumps(name)}{draw(_SPACE)}:{draw(_SPACE)}{one}"
        for name, one in zip(names, inner, strict=False)
    ]
    return "{" + ",".join(members) + "}"


@given(_texts())
def test_the_fast_decoder_answers_as_the_careful_one(text):
    data = text.encode("utf-8", "surrogatepass")
    try:
        expected = documents._read_carefully(data)[0]
    except DocumentError as error:
        with pytest.raises(DocumentError, match=re.escape(error.message)):
            documents.read_value(data)
        return
    value, flawed = documents.read_value(data)
    assert repr(value) == repr(expected)
    if not flawed:
        assert documents.json_document(text, value, True).flaws == ()


@pytest.mark.parametrize("space", ["", " ", "\t", "\r", "\n"])
def test_a_name_that_stands_twice_is_seen_behind_any_space(space):
    for text in ('{"a"%s:1,"a":2}', '{"a":1,"a"%s:2}', '{"x":":","a"%s:1,"a":{}}'):
        assert documents.read_value((text % space).encode())[1]


def test_plain_messages_take_the_fast_way(monkeypatch):
    monkeypatch.setattr(documents, "_read_carefully", lambda data: pytest.fail(repr(data)))
    text = b'{"id": "a-1", "time": "2030-01-31T08:00:00Z", "payload": {"n": [1, {"m": 2.5}]}}\n'
    assert documents.read_value(text) == (json.loads(text), False)


@pytest.mark.parametrize("text", [b'{"id":\n', b'{"id":\r\n', b'{"id": \n\n'])
def test_a_missing_end_is_told_on_its_line(text):
    with pytest.raises(DocumentError) as caught:
        documents.read_value(text)
    assert caught.value.place == (1, 7)
