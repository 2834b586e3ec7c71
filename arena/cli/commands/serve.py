"""`arena serve`: the site on the store of this folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import Command, settings_of
from arena.cli.flags import UsageError
from arena.cli.output import Output
from arena.cli.sandboxing import Sandbox

if TYPE_CHECKING:
    from arena.cli.config import Settings as Chosen

HEADER, PROXY = "--sign-in-header", "--trusted-proxy"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve", cls=Command)(serve)


def serve(
    ctx: typer.Context,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="0.0.0.0: others may come too.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="0: any free one.")] = 8000,
    browse: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy in front speaks TLS and says who asks.")
    ] = False,
    sign_in_header: Annotated[
        str | None, typer.Option(HEADER, metavar="NAME", help="In which the proxy says who asks: X-Remote-User.")
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(PROXY, metavar="ADDRESS", help="From where that counts; default: this machine."),
    ] = None,
    sandbox: Sandbox = "auto",
) -> None:
    """The site: tables, replays, live games, a seat at a table, submissions. Ends with Ctrl-C.

    \b
    arena serve
    arena serve --host 0.0.0.0 --port 8080 --behind-proxy
    arena serve --behind-proxy --sign-in-header X-Remote-User
    """
    output: Output = ctx.obj
    from arena.store.lock import site_lock
    from arena.web.people.accounts import first_link
    from arena.web.reach import announced
    from arena.web.server import is_loopback, listen
    from arena.web.server import serve as run
    from arena.web.site import Settings, Site
    from arena.web.viewer import is_open

    if sandbox not in ("auto", "none"):
        raise UsageError(f"--sandbox cannot be {sandbox!r}", saw=f"--sandbox {sandbox}", fix="accepted: auto, none")
    settings = settings_of(output)
    vouching = chosen_vouching(settings, sign_in_header, trusted_proxy or [], behind_proxy=behind_proxy)
    listening = listen(host, port)
    public = not is_loopback(host)
    site = Site.open(
        Settings(
            settings.data,
            settings.store,
            settings.file,
            behind_proxy,
            public,
            settings.quotas,
            sandbox,
            sign_in_header=vouching[0],
            trusted_proxies=vouching[1],
        )
    )
    shown = f"[{host}]" if ":" in host else host
    port = listening.getsockname()[1]
    address = f"http://{shown}:{port}"
    near = {"0.0.0.0": f"http://127.0.0.1:{port}", "::": f"http://[::1]:{port}"}.get(host, address)

    def ready() -> None:
        output.note(f"site: {address}   (Ctrl-C ends it)")
        if not is_open(site.settings):
            output.note(f"organiser: {address}/in/{first_link(site)}   (signs in once, within 15 min)")
        if browse:
            import webbrowser

            webbrowser.open(address)

    if public and not behind_proxy:
        output.error_line(
            "others can reach this server, and nothing encrypts what they send: nobody can sign in. "
            "Put a proxy with TLS before it, and start with --behind-proxy"
        )
    if sandbox == "none":
        output.error_line("bots that people send are checked unsandboxed (tier D), with the rights of this server")
        if vouching[0]:
            output.error_line(f"such a bot can send {vouching[0]} itself, and be anybody: use a sandbox")
    with site_lock(settings.data, settings.store), announced(site, near):
        run(site, listening, ready)


def chosen_vouching(
    settings: Chosen, header: str | None, proxies: Sequence[str], *, behind_proxy: bool
) -> tuple[str, tuple[str, ...]]:
    """As `vouching_of`, of what was typed, else of the settings; an empty header that was typed turns theirs off."""
    origins = [f"{name} ({settings.values[name].origin})" for name in ("serve.sign_in_header", "serve.trusted_proxies")]
    of_header, of_proxies = HEADER if header is not None else origins[0], PROXY if proxies else origins[1]
    header = header if header is not None else settings.sign_in_header
    proxies = proxies or (settings.trusted_proxies if header else ())
    return vouching_of(header, proxies, behind_proxy=behind_proxy, of_header=of_header, of_proxies=of_proxies)


def vouching_of(
    header: str, proxies: Sequence[str], *, behind_proxy: bool, of_header: str = HEADER, of_proxies: str = PROXY
) -> tuple[str, tuple[str, ...]]:
    """In which header who asks is said, and from where that counts. `of_header`, `of_proxies`: where that was chosen.
    Raises UsageError, ConfigError."""
    from arena.web.people.vouched import LOOPBACK, checked_header, network_of

    if header and not behind_proxy:
        off = "" if of_header == HEADER else f", or do without the header: {HEADER} ''"
        raise UsageError(
            f"{of_header} needs --behind-proxy", where=of_header, saw=header, fix=f"add --behind-proxy{off}"
        )
    if proxies and not header:
        raise UsageError(f"{of_proxies} needs {HEADER}", where=of_proxies, saw=", ".join(proxies), fix=f"add {HEADER}")
    for each in proxies:
        network_of(each, of_proxies)
    return checked_header(header, of_header) if header else "", tuple(proxies) or LOOPBACK
