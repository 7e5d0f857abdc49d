"""Parameters that exist elsewhere, turned into Pond's form: JSON Schema, OpenAPI, Python code.

Everything here is pure but for `readers` (files) and `running` (another process).
"""
