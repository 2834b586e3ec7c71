"""The command line of bubblewrap for a box. Pure: paths in, words out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arena.bots.sandbox.box import Bind, Box
from arena.bots.sandbox.limits import MIB

INSIDE_ID = "1000"
LINKS = (("usr/bin", "/bin"), ("usr/lib", "/lib"), ("usr/lib64", "/lib64"), ("usr/sbin", "/sbin"))
SEEN = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
"""Files of the machine's /etc that programs need to start."""
FILES = {
    "/etc/passwd": f"bot:x:{INSIDE_ID}:{INSIDE_ID}:bot:/tmp:/bin/false\n",
    "/etc/group": f"bot:x:{INSIDE_ID}:\n",
    "/etc/hosts": "127.0.0.1 localhost bot\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
"""Files of a box's own /etc."""


def words(
    bwrap: str,
    box: Box,
    binds: Iterable[Bind],
    etc: str,
    bounded: Mapping[str, str],
    *,
    proc: bool,
    seccomp: int,
    status: int,
) -> list[str]:
    """The words that run a box.

    `binds` have sources that its uid can reach, `etc` is a folder with FILES, `bounded` says where those of its
    temporary folders are that were made outside (path inside -> source), `seccomp` is a descriptor to read the filter
    from, `status` one on which bubblewrap tells what became of the program. The environment is not
    among the words, since any user of the machine may read a command line: bubblewrap is started with the box's
    variables and no others.
    """
    limits = box.limits
    made = [bwrap, "--unshare-all", "--unshare-user", "--uid", INSIDE_ID, "--gid", INSIDE_ID]
    # Without a /proc of its own it would have to write into a container's /proc/sys, which is read-only; the seccomp
    # filter refuses user namespaces in any case.
    made += ["--disable-userns"] if proc else []
    made += ["--share-net"] if box.network else []
    made += ["--hostname", "bot", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    made += ["--ro-bind", "/usr", "/usr"]
    for target, link in LINKS:
        made += ["--symlink", target, link]
    for path in SEEN:
        made += ["--ro-bind-try", path, path]
    for path in FILES:
        made += ["--ro-bind", f"{etc}/{path.rpartition('/')[2]}", path]
    if proc:
        made += ["--proc", "/proc"]
    # Terminals are counted for the whole machine and no bot needs one.
    made += ["--dev", "/dev", "--size", "4096", "--tmpfs", "/dev/pts"]
    for path, size in (("/dev/shm", limits.shm_mb), ("/tmp", limits.tmp_mb)):
        made += ["--bind", bounded[path], path] if path in bounded else ["--size", str(size * MIB), "--tmpfs", path]
    made += ["--remount-ro", "/dev"]
    for bind in binds:
        made += ["--bind" if bind.writable else "--ro-bind", bind.source, bind.target]
    return [
        *made,
        "--chdir",
        box.folder,
        "--seccomp",
        str(seccomp),
        "--json-status-fd",
        str(status),
        "--remount-ro",
        "/",
        "--",
        *box.command,
    ]
