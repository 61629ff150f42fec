"""Working trees and histories, read with git.

Import from the modules. `repository.locate` and `repository.paths` need only the standard library and start no
process, so hooks can use both.
"""
