"""The sections of the conversation, in the order in which they are asked. Pure."""

from __future__ import annotations

from pond_new.wizard.draft import Section
from pond_new.wizard.sections.actions import ACTIONS
from pond_new.wizard.sections.files import FILES
from pond_new.wizard.sections.identity import IDENTITY
from pond_new.wizard.sections.limits import LIMITS
from pond_new.wizard.sections.marketplaces import MARKETPLACES
from pond_new.wizard.sections.modes import MODES
from pond_new.wizard.sections.place import PLACE
from pond_new.wizard.sections.pricing import PRICING

SECTIONS: tuple[Section, ...] = (IDENTITY, ACTIONS, MODES, FILES, LIMITS, PRICING, PLACE, MARKETPLACES)
