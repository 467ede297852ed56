"""The secret rules, as data. Formats are those their vendors publish; nothing here is a secret, or
looks like one: examples are made from forms (see `turnreel.sanitizers.forms`).

Adding one: put it beside its kin with the published prefix and length, the title of the page that
says so, forms that match and near misses that must not, and raise `RULESET_VERSION`. Never in
here: what a field may hold, which is a policy's to say.
"""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

from . import (
    clouds,
    commands,
    databases,
    generic,
    hosts,
    messaging,
    models,
    operations,
    passwords,
    payments,
    persons,
    reasoning,
    sentences,
    settings,
)

RULESET_VERSION: Final = 4

RULES: Final[tuple[Rule, ...]] = (
    *models.RULES,
    *clouds.RULES,
    *hosts.RULES,
    *messaging.RULES,
    *payments.RULES,
    *operations.RULES,
    *databases.RULES,
    *generic.RULES,
    *commands.RULES,
    *passwords.RULES,
    *settings.RULES,
    *sentences.RULES,
    *persons.RULES,
    *reasoning.RULES,
)
