"""Which addresses a stranger's URL may lead to: those of the public Internet and no others. Pure.

A URL in a request is data from outside. Without this check it could make the agent talk to what only its own
network reaches: databases, neighbours, the cloud's metadata.
"""

from ipaddress import IPv6Address, ip_address, ip_network

UNICAST = ip_network("2000::/3")  # all of IPv6 that the Internet routes; IPv4 in disguise is elsewhere
NOT_PUBLIC = (
    ip_network("2001::/23"),  # protocol assignments; Teredo, which wraps IPv4 addresses, is one of them
    ip_network("2002::/16"),  # 6to4, which wraps them too
    ip_network("3fff::/20"),  # documentation
    ip_network("192.88.99.0/24"),  # relays of 6to4
    ip_network("168.63.129.16/32"),  # a cloud's service for its own machines; it only looks public
)


def is_public(address: str) -> bool:
    """Whether a numerical address belongs to one machine on the public Internet."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address) and (parsed not in UNICAST or parsed.scope_id):
        return False
    return parsed.is_global and not parsed.is_multicast and not any(parsed in each for each in NOT_PUBLIC)
