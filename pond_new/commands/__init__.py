"""One module for each command: plain values in, exit code out. What they say goes through `console`."""
