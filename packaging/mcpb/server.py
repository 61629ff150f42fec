"""Entry point of the bundle: serve MCP over stdio."""

import sys

from lamella_adapters.cli import main

sys.argv[1:] = ["serve"]
sys.exit(main())
