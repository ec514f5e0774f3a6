"""RPA Vision: watches a person work, learns the workflow by vision, and does it alone, safely."""

__version__ = "0.1.0"
