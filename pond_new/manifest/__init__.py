"""Pond manifests: read, judged with all their problems at once, typed, and written. Pure."""

from pond_new.manifest.document import Document, parse_document
from pond_new.manifest.dump import dump_manifest
from pond_new.manifest.model import Action, Capabilities, Limits, Manifest, PricingPlan
from pond_new.manifest.parse import parse_manifest
from pond_new.manifest.problem import Correction, InvalidManifest, Problem

__all__ = [
    "Action",
    "Capabilities",
    "Correction",
    "Document",
    "InvalidManifest",
    "Limits",
    "Manifest",
    "PricingPlan",
    "Problem",
    "dump_manifest",
    "parse_document",
    "parse_manifest",
]
