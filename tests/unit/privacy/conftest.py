"""Import everything before the first test."""

import pkgutil
from importlib import import_module

import lamella.domain.privacy

# Some modules are imported by the text that needs them. Where the first such text is a `no_cover` test's, coverage
# would miss what an import runs.
for _module in pkgutil.walk_packages(lamella.domain.privacy.__path__, f"{lamella.domain.privacy.__name__}."):
    import_module(_module.name)
