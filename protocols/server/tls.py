"""TLS of the TCP ports, from the files of a certificate and its key."""

from __future__ import annotations

import ssl

from engine.errors import SettingError


def server_context(certificate: str, key: str | None) -> ssl.SSLContext:
    """Returns the context of a server; key: the key's file, None for the certificate's own.

    Raises SettingError where the files cannot be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    load_certificate(context, certificate, key)
    return context


def load_certificate(context: ssl.SSLContext, certificate: str, key: str | None) -> None:
    """Reads the files anew, for the connections from now on; raises SettingError."""
    try:
        # A key with a password would ask for it on the terminal.
        context.load_cert_chain(certificate, key, password=lambda: b"")
    except (OSError, ssl.SSLError) as error:
        where = certificate if key is None else f"{certificate} and {key}"
        raise SettingError(f"no TLS by {where}: {error.strerror or error}") from error
