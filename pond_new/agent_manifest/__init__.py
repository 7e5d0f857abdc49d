"""Agent manifests of the second standard: judged in two rounds, as its platform does. Pure."""

from pond_new.agent_manifest.check import check_endpoint, check_manifest, check_release, price_note
from pond_new.agent_manifest.price import describe_price, worst_case
from pond_new.agent_manifest.served import check_served

__all__ = [
    "check_endpoint",
    "check_manifest",
    "check_release",
    "check_served",
    "describe_price",
    "price_note",
    "worst_case",
]
