"""The tests of this agent: `generated/` replays the examples and checks the protocol; the rest is yours."""
