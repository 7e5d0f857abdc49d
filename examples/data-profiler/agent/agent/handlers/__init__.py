"""One module for each action, with `handle` in it: the work that this agent does. These files are yours.

pond-new writes a module once, when its action is new, and never touches it again.
"""
