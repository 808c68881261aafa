"""Branches: `if` and `match`, and what their ends know together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from contractlint.code.conditions import last_name
from contractlint.code.flow import NOWHERE
from contractlint.code.outcomes import Outcomes
from contractlint.code.values import NOTHING, Value, derived, merged
from contractlint.code.walking import children


class Branches(Outcomes):
    """Calls and what they answer, and branches."""

    @abstractmethod
    def suite(self, block: cst.BaseSuite | cst.Module) -> None:
        """Lower the statements of a block."""

    @abstractmethod
    def statement(self, node: cst.CSTNode) -> None:
        """Lower one statement."""

    def _if(self, node: cst.If) -> None:
        with self.proving_nothing(self._only_tells(node)):
            self._branches_of(node)

    def _only_tells(self, node: cst.If) -> bool:
        """Do all branches only log? Then the test decides nothing, whatever it looks at."""
        branch: cst.If | cst.Else | None = node
        while branch is not None:
            if not all(map(self._logs, branch.body.body)):
                return False
            branch = branch.orelse if isinstance(branch, cst.If) else None
        return True

    def _logs(self, statement: cst.CSTNode) -> bool:
        if isinstance(statement, cst.SimpleStatementLine):
            return all(map(self._logs, statement.body))
        if isinstance(statement, cst.Expr):
            return self._calls_observer(statement.value)
        return isinstance(statement, cst.Pass)

    def _calls_observer(self, node: cst.BaseExpression) -> bool:
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        return self.idioms.is_name("observer", last_name(node.func.value))

    def _branches_of(self, node: cst.If) -> None:
        ends: list[tuple[int, dict[str, Value]]] = []
        branch: cst.If | cst.Else | None = node
        while isinstance(branch, cst.If):
            before = dict(self.scope.names)
            holds, fails = self.condition(branch.test)
            failure = self.told_failure(branch)
            tested = dict(self.scope.names)
            self.current = self.told(holds, failure, True)
            self._narrow(branch.test)
            self.suite(branch.body)
            ends.append((self.current, self.scope.names))
            self.scope.names = tested if tested != before else dict(tested)
            self.current = self.told(fails, failure, False)
            branch = branch.orelse
        if branch is not None:
            self.suite(branch.body)
        ends.append((self.current, self.scope.names))
        self.merge(ends)

    def _narrow(self, test: cst.BaseExpression) -> None:
        """`isinstance(x, Class)` tells the class of x inside the branch."""
        if not isinstance(test, cst.Call) or last_name(test.func) != "isinstance":
            return
        if len(test.args) != 2 or not isinstance(test.args[0].value, cst.Name):
            return
        name = test.args[0].value.value
        typed = self.typed(test.args[1].value, self.scope.module)
        if typed is not NOTHING and name in self.scope.names:
            value = self.scope.names[name]
            self.scope.names[name] = replace(value, type=typed.type, definition=typed.definition)

    def merge(self, ends: Sequence[tuple[int, dict[str, Value]]]) -> None:
        """Join control, and for each name what the live branches know of it."""
        live = [names for node, names in ends if node != NOWHERE] or [ends[-1][1]]
        self.join([node for node, _ in ends])
        if len(live) == 1:
            self.scope.names = live[0]
            return
        names: dict[str, Value] = {}
        for name in dict.fromkeys(name for table in live for name in table):
            values = [table[name] for table in live if name in table]
            names[name] = merged(values)
        self.scope.names = names

    def _match(self, node: cst.Match) -> None:
        subject = self.evaluate(node.subject)
        ends: list[tuple[int, dict[str, Value]]] = []
        names = self.scope.names
        for case in node.cases:
            start = self.current
            self.scope.names = dict(names)
            self.current = self.branch(None)
            self._bind_pattern(case.pattern, subject)
            refused = NOWHERE
            if case.guard is not None:
                self.current, refused = self.condition(case.guard)
            self.suite(case.body)
            ends.append((self.current, self.scope.names))
            irrefutable = isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None
            self.join([NOWHERE if irrefutable else start, refused])
        self.scope.names = dict(names)
        ends.append((self.current, self.scope.names))
        self.merge(ends)

    def _bind_pattern(self, pattern: cst.CSTNode, subject: Value) -> None:
        if isinstance(pattern, (cst.MatchAs, cst.MatchStar)) and pattern.name is not None:
            self.bind(pattern.name.value, replace(derived(subject), slot=-1))
        for child in children(pattern):
            self._bind_pattern(child, subject)
