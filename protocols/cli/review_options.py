"""Options of the reference policy, the measure of natural moves."""

from __future__ import annotations

import argparse

from engine.errors import UsageError
from engine.match.engine_player import SharedNetworks
from engine.networks.human_policy import USUAL_PROFILE, check_profile
from engine.networks.human_profile import FORMS
from engine.review.bench import Bench
from protocols.cli.network_options import add_human_option


def add_reference_options(parser: argparse.ArgumentParser) -> None:
    """Adds --human-network and --human-profile."""
    add_human_option(parser)
    parser.add_argument(
        "--human-profile",
        metavar="NAME",
        default="",
        help=f"players that the network of human moves imitates: {FORMS}; default: {USUAL_PROFILE}",
    )


def bench_of(
    options: argparse.Namespace, visits: int | None, networks: SharedNetworks | None = None
) -> Bench:
    """Returns the judges of the options; raises UsageError. visits: None for no searches."""
    try:
        check_profile(options.human_profile or USUAL_PROFILE)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return Bench(
        visits,
        networks or SharedNetworks(),
        network=getattr(options, "network", None),
        human_network=options.human_network,
        backend=getattr(options, "backend", "auto"),
        precision=getattr(options, "precision", "auto"),
        profile=options.human_profile,
    )
