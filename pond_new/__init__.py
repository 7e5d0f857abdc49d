"""pond-new: from an idea to a deployed agent that a marketplace accepts."""

__version__ = "0.1.0"
