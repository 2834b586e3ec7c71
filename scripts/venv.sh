# Sourced by ./demo and tests/run: finds a Python and makes a virtual environment, by apt where packages are missing and
# it may install them (as root, or with a sudo that asks nothing).

die() { printf '%s: %s\n' "${0##*/}" "$1" >&2; exit 2; }

find_python() { # prints the name of a Python that is new enough
    local name
    for name in ${PYTHON:-} python3 python3.11 python3.12 python3.13 python3.14; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$name"
            return
        fi
    done
    return 1
}

apt_install() {
    command -v apt-get >/dev/null || return 1
    local prefix=()
    if [ "$(id -u)" != 0 ]; then
        sudo -n true 2>/dev/null || return 1
        prefix=(sudo -n)
    fi
    "${prefix[@]}" apt-get update -q >&2 && "${prefix[@]}" apt-get install -qy --no-install-recommends "$@" >&2
}

make_venv() { # make_venv FOLDER: unless it is there already
    local python said
    [ -x "$1/bin/pip" ] && return
    rm -rf "$1"
    python=$(find_python) || { apt_install python3 python3-venv && python=$(find_python); } \
        || die "needs Python 3.11 or newer, for example: apt-get install python3 python3-venv"
    said=$("$python" -m venv "$1" 2>&1) && return
    rm -rf "$1"
    apt_install python3-venv || true
    "$python" -m venv "$1" || die "cannot make a virtual environment ($said); for example: apt-get install python3-venv"
}

install_into() { # install_into FOLDER WHAT...: with pip, again only when the project's metadata has changed
    local folder=$1 stamp
    shift
    stamp="$folder/installed-$(cat pyproject.toml arena/__init__.py | sha256sum | cut -c1-16)"
    if [ ! -e "$stamp" ]; then
        echo "installing into $folder" >&2
        "$folder/bin/python" -m pip install -q --disable-pip-version-check --upgrade "pip>=23" || die "pip failed"
        "$folder/bin/python" -m pip install -q --disable-pip-version-check "$@" || die "pip failed"
        rm -f "$folder"/installed-*
        touch "$stamp"
    fi
}
