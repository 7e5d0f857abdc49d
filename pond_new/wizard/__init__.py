"""The wizard: a newcomer answers questions and gets an agent.

The conversation is plain data and generators without any input or output; `resolve` runs it, `prompt` is the
only module that imports questionary. Nothing here writes an agent: the result is a manifest and settings.
"""
