"""Makes files of the arena reachable for a bot's uid, without opening the private folders that they lie in.

With root and a mount namespace of its own the launcher binds them into a folder that anyone may pass through and nobody
else on the machine sees; without mounts it copies them; without root nothing is needed, since the uid is the same.
Standard library only; the launcher uses it.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
import struct
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from arena.bots.folders import MARK, new_folder

CLONE_NEWNS = 0x00020000
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE = 442, -100, 0x8000
ATTR_NOATIME, ATTR_ATIME = 0x10, 0x70
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
MNT_DETACH = 2
COPIES = "copies"
LASTING = "lasting"
"""Folder of the stage in which things have the paths that boxes know them by."""


class Stage:
    """The folder, and what is on it."""

    def __init__(self, near: str, *, foreign: bool) -> None:
        """`near`: where it should lie. `foreign`: boxes run under other uids than this process."""
        self._foreign = foreign
        self._mounts = foreign and _own_mounts()
        places = [near, tempfile.gettempdir(), "/tmp", "/run"]
        place = next((place for place in places if passable(place)), near) if foreign else near
        self._home = new_folder(place)
        self.folder = self._home.path
        self._lasting: dict[tuple[str, str], str] = {}
        self._seen: dict[str, bool] = {}
        self._bound: set[str] = set()
        self._copies: dict[str, str] = {}
        if foreign:
            self.folder.chmod(0o711)
        if self._mounts:
            _mount("tmpfs", self.folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=711")

    def write(self, name: str, text: str) -> str:
        """A small file that every box may read; its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.parent.chmod(0o755)
        path.write_text(text)
        path.chmod(0o644)
        return str(path)

    def lasting(self, source: str, target: str) -> str:
        """A path at which boxes reach `source` for as long as the launcher lives (runtimes), ending in `target`.

        Raises OSError.
        """
        if not self._foreign:
            return source
        if (source, target) not in self._lasting:
            place = self.folder / LASTING / target.lstrip("/")
            self._open_folder(place.parent)
            self._put(source, place, 0, bind=self._mounts)
            self._lasting[source, target] = str(place)
        return self._lasting[source, target]

    def _open_folder(self, folder: Path) -> None:
        """Make a folder that all may read, and those above it."""
        folder.mkdir(parents=True, exist_ok=True)
        while folder != self.folder:
            folder.chmod(0o755)
            folder = folder.parent

    def expose(self, source: str, uid: int, name: str, label: str = "") -> str:
        """A path at which `uid` reaches `source`, below `name` and called `label` there. Raises OSError.

        A copy (where nothing can be mounted, or where the files are not for all to read) belongs to `uid`, or is for
        all to read when `uid` is 0.
        """
        if not self._foreign:
            return source
        place = self.folder / name / (label or Path(source).name)
        place.parent.mkdir(mode=0o711, exist_ok=True)
        place.parent.chmod(0o711)
        if self._mounts and not self._readable(source):
            self._put(self._copied(source), place, uid, bind=True)
        else:
            self._put(source, place, uid, bind=self._mounts)
        return str(place)

    def _copied(self, source: str) -> str:
        """A copy for all to read of what is not, made once."""
        if source not in self._copies:
            place = self.folder / COPIES / str(len(self._copies))
            place.parent.mkdir(mode=0o711, exist_ok=True)
            self._put(source, place, 0, bind=False)
            self._copies[source] = str(place)
        return self._copies[source]

    def hand_over(self, folder: str, uid: int, name: str, socket: str) -> str:
        """A path at which `uid` reaches a folder with a socket, which cannot be copied. Raises OSError.

        Where nothing can be mounted the folder itself is given to `uid`, and those above it, whose names nobody can
        list, are opened for passing through.
        """
        if not self._foreign:
            return folder
        if self._mounts:
            place = self.folder / name / "seat"
            place.parent.mkdir(mode=0o711, exist_ok=True)
            place.parent.chmod(0o711)
            self._put(folder, place, uid, bind=True)
            return str(place)
        path = Path(folder).resolve()
        _open_way(path)
        for each in (path / socket, path):
            if each.exists():
                os.chown(each, uid, uid)
        path.chmod(0o700)
        return str(path)

    def lend(self, folder: str, uid: int, name: str, label: str) -> str:
        """A path at which `uid` may write into a folder of the arena's, which belongs to `uid` from then on.

        Whoever made the folder takes it back when nothing runs any more. Raises OSError.
        """
        if not self._foreign:
            return folder
        for path in (folder, *_below(folder)):
            os.lchown(path, uid, uid)
        if not self._mounts:
            _open_way(Path(folder).resolve())
            return folder
        place = self.folder / name / label
        place.parent.mkdir(mode=0o711, exist_ok=True)
        self._put(folder, place, uid, bind=True)
        return str(place)

    def _put(self, source: str, place: Path, uid: int, *, bind: bool) -> None:
        if bind:
            place.mkdir() if os.path.isdir(source) else place.touch()
            _mount(source, place, "", MS_BIND | MS_REC, "")
            self._bound.add(str(place))
        elif os.path.isdir(source):
            shutil.copytree(source, place, symlinks=True)
            _give(place, uid)
        else:
            shutil.copy(source, place)
            _give(place, uid)

    def _readable(self, source: str) -> bool:
        """Whether everything in a file or folder is for all users to read, once one is inside. Looked at once."""
        if source not in self._seen:
            self._seen[source] = all(map(_open_to_all, [source, *_below(source)]))
        return self._seen[source]

    @property
    def mounts(self) -> bool:
        """Whether folders with a bounded size can be made."""
        return self._mounts

    def private(self, name: str, uid: int, size: int, inodes: int) -> str:
        """An empty folder that belongs to `uid` alone, of at most `size` bytes and `inodes` files where mounts can be
        made."""
        place = self.folder / name / "tmp"
        place.parent.mkdir(mode=0o711)
        place.parent.chmod(0o711)
        place.mkdir(mode=0o700)
        if self._mounts:
            _mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, f"mode=700,size={size},nr_inodes={inodes}")
            self._bound.add(str(place))
        os.chown(place, uid, uid)
        return str(place)

    def withdraw(self, name: str) -> None:
        """Take away what was exposed under a name.

        What was bound is unbound and its empty place removed: never deleted into, since it is the arena's own.
        """
        place = self.folder / name
        for child in sorted(place.iterdir()) if place.exists() else ():
            if str(child) in self._bound:
                _unbind(child)
                self._bound.discard(str(child))
            else:
                shutil.rmtree(child, ignore_errors=True)
        with suppress(OSError):
            place.rmdir()

    def close(self) -> None:
        """Take the whole stage away."""
        if self._mounts:
            # The folder's own file system goes with everything that is bound in it.
            ctypes.CDLL(None).umount2(str(self.folder).encode(), MNT_DETACH)
            with suppress(OSError):
                (self.folder / MARK).unlink()
                self.folder.rmdir()
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


def passable(folder: str) -> bool:
    """Whether any user of the machine may pass through a folder and all above it."""
    path = Path(folder).resolve()
    return path.is_dir() and all(each.stat().st_mode & 0o001 for each in (path, *path.parents))


def _open_way(path: Path) -> None:
    """Let everybody pass through the folders above a path."""
    for each in path.parents:
        mode = each.stat().st_mode
        if not mode & 0o001:
            each.chmod(stat.S_IMODE(mode) | 0o001)


def _below(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        yield from (os.path.join(place, name) for name in (*folders, *files))


def _open_to_all(path: str) -> bool:
    status = os.lstat(path)
    needed = 0o005 if stat.S_ISDIR(status.st_mode) else 0o004
    return stat.S_ISLNK(status.st_mode) or status.st_mode & needed == needed


def _own_mounts() -> bool:
    """Give this process a mount namespace of its own, from which nothing gets out; False where it may not."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) != 0:
        return False
    private = bool(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) == 0)
    # When a file was last read is seen by whoever sees the file: here no reading is noted.
    # /proc stays as it is, since a box may only make one that is like it.
    for path, wanted in ((b"/", ATTR_NOATIME), (b"/proc", 0)):
        attributes = ctypes.create_string_buffer(struct.pack("=QQQQ", wanted, ATTR_ATIME, 0, 0), 32)
        libc.syscall(MOUNT_SETATTR, AT_FDCWD, path, AT_RECURSIVE, attributes, 32)
    return private


def _mount(source: str, place: Path, kind: str, flags: int, data: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(source.encode(), str(place).encode(), kind.encode() or None, flags, data.encode() or None) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{source} cannot be bound: {os.strerror(number)}")


def _unbind(place: Path) -> None:
    ctypes.CDLL(None).umount2(str(place).encode(), MNT_DETACH)
    with suppress(OSError):
        place.rmdir() if place.is_dir() else place.unlink()


def _give(place: Path, uid: int) -> None:
    """A copy for one uid to read, or for all."""
    paths = [place, *(place.rglob("*") if place.is_dir() else ())]
    for path in paths:
        if path.is_symlink():
            continue
        runs = path.is_dir() or path.stat().st_mode & 0o111
        if uid:
            os.chown(path, uid, uid)
        path.chmod((0o555 if runs else 0o444) if not uid else (0o500 if runs else 0o400))
