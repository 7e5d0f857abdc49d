"""Fixtures for all tests. This file is yours: set up here what your handlers need, such as a local model."""

from tests.generated.fixtures import make_pond, pond

__all__ = ["make_pond", "pond"]
