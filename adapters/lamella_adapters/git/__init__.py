"""Working trees and histories, read with git.

Import from the submodules. `repository.locate` and `repository.paths` need only the standard library, and start no
process. Hooks can therefore import them.
"""
