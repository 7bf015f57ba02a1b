"""The models of functions outside the analyzed sources, by the names that these know them by."""

from __future__ import annotations

from deepgrep.linking.program import Program
from deepgrep.models import Models
from deepgrep.models.model import FunctionModel


class OutsideModels:
    """Finds models; each name is looked up once."""

    def __init__(self, program: Program, models: Models) -> None:
        self._program = program
        self._models = models
        self._known: dict[str, FunctionModel | None] = {}

    def function(self, name: str) -> FunctionModel | None:
        """Return the model of a function or method outside the analyzed sources."""
        if name not in self._known:
            self._known[name] = self._models.function(name) or self._starred(name)
        return self._known[name]

    def _starred(self, name: str) -> FunctionModel | None:
        """Return the model of what a module has from an `import *` of native code: `torch.get_num_threads`."""
        owner, _, last = name.rpartition(".")
        module = self._program.module(owner)
        if module is None:
            return None
        starred = [module.absolute(star, level) for star, level in reversed(module.stars)]
        names = [f"{star}.{last}" for star in starred if self._program.module(star) is None]
        exact = next((self._models.functions[n] for n in names if n in self._models.functions), None)
        is_class = last[:1].isupper() or any(self._models.class_(n) is not None for n in names)
        if exact is not None or is_class:
            return exact
        return next((model for n in names if (model := self._models.function(n)) is not None), None)
