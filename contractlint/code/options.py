"""The options of a call: what it is given, what its receiver was made with, the defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeGuard

import libcst as cst

from contractlint.code.conditions import Conditions
from contractlint.code.modules import string_value
from contractlint.code.values import NOTHING, UNKNOWN, Arguments, Setting, Settings, Source, Value
from contractlint.vocabulary.model import UNSET, Argument, Option
from contractlint.vocabulary.model import Conditions as When


class Options(Conditions):
    """Conditions that know what options a call has."""

    def find_argument(self, arguments: Arguments, spec: Argument) -> Value | None:
        """Return the argument, None if it is not given; what cannot be seen is an open value."""
        value = arguments.keywords.get(spec.name) if spec.name else None
        if value is None and 0 <= spec.position < len(arguments.positional):
            value = arguments.positional[spec.position]
        for key in spec.keys:
            if value is None:
                return None
            if value.entries is None:
                return Value() if value.const is UNKNOWN else None
            value = value.entries.get(key)
        return value

    def seen_argument(self, arguments: Arguments, spec: Argument) -> Value | None:
        """Return the argument only if it can be seen: an opaque dict proves no key in it."""
        value = self.find_argument(arguments, Argument(spec.name, spec.position))
        for key in spec.keys:
            value = (value.entries or {}).get(key) if value is not None else None
        return value

    def argument_source(self, arguments: Arguments, spec: Argument) -> Source | None:
        node = arguments.nodes.get(spec.name) if spec.name else None
        if node is None and spec.position >= 0:
            node = arguments.nodes.get(spec.position)
        if node is None:
            return None
        if spec.keys and isinstance(node, cst.Dict):
            node = dict_item(node, spec.keys) or node
        return self.source(node)

    def settings(
        self, options: Iterable[Option], arguments: Arguments, inherited: Mapping[str, Setting]
    ) -> Settings:
        """Return the options of a call: what is given, else what its receiver was made with."""
        found = dict(inherited)
        for option in options:
            setting = self._setting(option, arguments)
            if setting is not None:
                found[option.name] = setting
            elif option.project:
                told = self.project.says(option.project)
                found[option.name] = Setting(Value(const=told), None)
            elif option.name not in found:
                found[option.name] = self._default(option, arguments)
        return found

    def _setting(self, option: Option, arguments: Arguments) -> Setting | None:
        for spec in option.arguments:
            value = self.find_argument(arguments, spec)
            if value is not None:
                return Setting(value, self._option_source(arguments, spec))
        return None

    def _option_source(self, arguments: Arguments, spec: Argument) -> Source | None:
        source = self.argument_source(arguments, spec)
        if spec.keys:
            container = self.find_argument(arguments, Argument(spec.name, spec.position))
            if container is not None and container.origin is not None:
                module, node = container.origin
                item = dict_item(node, spec.keys)
                return Source(module, item or node)
        return source

    def _default(self, option: Option, arguments: Arguments) -> Setting:
        if arguments.open:
            return Setting(NOTHING, None)
        if option.default is UNSET:
            return Setting(Value(const=None), None)
        return Setting(Value(const=option.default), None)

    def decide(self, when: When, settings: Settings) -> bool | None:
        """Do all conditions hold? None: it cannot be known."""
        unknown = False
        for name, wanted in when:
            answer = self._below(settings, name, wanted)
            if answer is None:
                answer = self._holds(settings.get(name), wanted)
            if answer is False:
                return False
            unknown = unknown or answer is None
        return None if unknown else True

    def _below(self, settings: Settings, name: str, wanted: tuple[object, ...]) -> bool | None:
        """Compare with another option (`"< time_limit"`); None: it is not asked, or not known."""
        other = str(wanted[0]).removeprefix("< ")
        if not str(wanted[0]).startswith("< ") or name not in settings or other not in settings:
            return None
        low, high = settings[name].value.const, settings[other].value.const
        return low < high if _is_number(low) and _is_number(high) else None

    def _holds(self, setting: Setting | None, wanted: tuple[object, ...]) -> bool | None:
        if setting is None or setting.value is NOTHING:
            return True if "unknown" in wanted else None
        value = setting.value
        if "set" in wanted or "unset" in wanted:
            given = value.const is not None and (value.known or setting.source is not None)
            given = given and not value.has("unstable")  # what is new each time, nobody finds again
            if not given and not value.known:
                return None
            return given if "set" in wanted else not given
        if value.known:
            return any(_same(value.const, item) for item in wanted)
        parts = [*(value.elements or ()), *(value.entries or {}).values()]
        if parts:
            answers = [self._holds(Setting(item, None), wanted) for item in parts]
            return True if True in answers else (None if None in answers else False)
        return self._constant_holds(value, wanted)

    def _constant_holds(self, value: Value, wanted: tuple[object, ...]) -> bool | None:
        """Compare a constant that is known by name only, such as a member of an enumeration."""
        owner, _, name = value.dotted.rpartition(".")
        names = [item for item in wanted if isinstance(item, str)]
        if not owner or not names:
            return None
        return any(_same(name, item) for item in names)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same(actual: object, wanted: object) -> bool:
    return str(actual).lower() == str(wanted).lower()


def dict_item(node: cst.CSTNode, keys: tuple[str, ...]) -> cst.CSTNode | None:

    found: cst.CSTNode | None = None
    for key in keys:
        if not isinstance(node, cst.Dict):
            return found
        for element in node.elements:
            if isinstance(element, cst.DictElement) and string_value(element.key) == key:
                found, node = element, element.value
                break
        else:
            return found
    return found
