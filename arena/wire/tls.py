"""TLS as the door speaks it: the organiser's certificate and key, version 1.2 or newer, HTTP/2 only."""

from __future__ import annotations

import ssl
from pathlib import Path

from arena.core.errors import ConfigError


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and reached by nobody else."""
    return host in ("localhost", "::1") or host.startswith("127.")


def check_address(host: str, port: int, *, tls: bool) -> None:
    """Raises ConfigError INSECURE for plain TCP anywhere but on loopback."""
    if not tls and not is_loopback(host):
        raise ConfigError(
            f"tokens would cross the network at {host} for all to read",
            where=f"{host}:{port}",
            fix="give --tls-cert and --tls-key, or listen on 127.0.0.1",
            code="INSECURE",
        )


def tls_of(certificate: Path, key: Path) -> ssl.SSLContext:
    """TLS with a certificate and its key, both PEM. Raises ConfigError BAD_TLS, which names the file."""
    for file in (certificate, key):
        try:
            file.open("rb").close()
        except OSError as error:
            raise _bad_tls(file, f"cannot be read: {error.strerror}") from error
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["h2"])
    try:
        context.load_cert_chain(certificate, key, password=lambda: "")
    except (ssl.SSLError, ValueError) as error:
        raise _bad_tls(certificate, f"with its key {key} is no pair: {error}") from error
    return context


def _bad_tls(file: Path, what: str) -> ConfigError:
    fix = "give the certificate chain and its private key without a password, both PEM"
    return ConfigError(f"{file} {what}", where=str(file), fix=fix, code="BAD_TLS")
