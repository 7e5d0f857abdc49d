"""Pond Protocol V1 as data: facts, schemas and the catalogue of requirements. Pure: standard library only."""
