"""Tests that pond-new writes and rewrites: the examples replayed, and the protocol."""
