"""Working trees and histories, read with git.

Import from the modules. `repository.locate` and `repository.paths` need the standard library only and start no
process, so that hooks can use them.
"""
