"""TOML files know the line of every key, so that mistakes are shown in their place."""

import pytest

from contractlint.tomlfile import TomlError, read_toml, validate

TEXT = '''\
top = 1
"quoted key".inner = """
fake = [
"""
[table.sub]
list = [
  "a", # ]
  "b",
]

[[element]]
code = \'\'\'
[[element]]
\'\'\'
[[element]]
inline = { a = 1 }
[element.deep]
last = "x"
'''


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "some.toml"
    path.write_text(TEXT)
    return read_toml(path, "some.toml")


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("top",), 1),
        (("quoted key", "inner"), 2),
        (("table", "sub"), 5),
        (("table", "sub", "list"), 6),
        (("table", "sub", "list", 1), 6),
        (("element", 0), 11),
        (("element", 0, "code"), 12),
        (("element", 1), 15),
        (("element", 1, "inline", "a"), 16),
        (("element", 1, "deep", "last"), 18),
        (("missing",), 1),
    ],
)
def test_line_of_a_key(file, key, line):
    assert file.line_of(key) == line


def test_validation_names_key_and_line(file):
    schema = {"properties": {"table": {"properties": {"sub": {"maxProperties": 0}}}}}
    [problem] = validate(file, schema)
    assert (problem.path, problem.line) == ("some.toml", 5)
    assert problem.message.startswith("table.sub: ")


def test_unexpected_keys_are_shown_where_they_stand(file):
    schema = {"additionalProperties": False, "properties": {"top": {}, "table": {}, "element": {}}}
    [problem] = validate(file, schema)
    assert problem.line == 2
    assert "quoted key" in problem.message


def test_dates_count_as_text(tmp_path):
    path = tmp_path / "date.toml"
    path.write_text("day = 2024-05-01\n")
    assert validate(read_toml(path), {"properties": {"day": {"type": "string"}}}) == []


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"a = 1\nb = = 2\n", 2, "not valid TOML"),
        (b"a = 1\nb = [1,", 2, "not valid TOML"),
        (b"a = 1\na = 2\n", 2, "not valid TOML"),
        (b"a = '\xff'\n", 1, "not UTF-8"),
        (b"a = " + b"[" * 5000 + b"]" * 5000, 1, "nested too deeply"),
    ],
)
def test_broken_files(tmp_path, content, line, words):
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(TomlError) as caught:
        read_toml(path, "broken.toml")
    assert (caught.value.problem.path, caught.value.problem.line) == ("broken.toml", line)
    assert words in caught.value.problem.message


def test_missing_file(tmp_path):
    with pytest.raises(TomlError, match="cannot be read"):
        read_toml(tmp_path / "none.toml")
