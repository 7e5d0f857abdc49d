"""Agent manifests of the second standard: judged in two rounds, as its platform does. Pure."""

from pond_new.agent_manifest.check import check_endpoint, check_manifest, price_note
from pond_new.agent_manifest.price import describe_price, worst_case

__all__ = ["check_endpoint", "check_manifest", "describe_price", "price_note", "worst_case"]
