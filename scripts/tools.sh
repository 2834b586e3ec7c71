# Sourced by tests/run after venv.sh: installs by apt what the tests of other languages and of the sandbox need and is not there.

TOOLS_BY_PACKAGE='
bwrap            bubblewrap
cc               gcc libc6-dev
chromium         chromium fonts-dejavu-core
openssl          openssl
unshare          util-linux
cmake            cmake
g++              g++
make             make
grpc_cpp_plugin  libgrpc++-dev libprotobuf-dev protobuf-compiler-grpc libgtest-dev nlohmann-json3-dev
lua5.4           lua5.4
openssl          openssl
prove            perl
pg_ctlcluster    postgresql
javac            openjdk-17-jdk-headless
mvn              maven
nginx            nginx
node             nodejs npm
npm              npm
go               golang-go
cargo            cargo
rustfmt          rustfmt
cargo-clippy     rust-clippy
'

install_tools() { # a tool that cannot be installed is no error here: its tests say so
    local tool packages wanted=()
    while read -r tool packages; do
        [ -z "$tool" ] || command -v "$tool" >/dev/null || wanted+=($packages)
    done <<<"$TOOLS_BY_PACKAGE"
    # Headers and libraries have no program by which they could be found.
    for packages in libseccomp2 libgrpc++-dev libprotobuf-dev libgtest-dev nlohmann-json3-dev; do
        dpkg -s "$packages" >/dev/null 2>&1 || wanted+=("$packages")
    done
    [ ${#wanted[@]} = 0 ] || { echo "installing ${wanted[*]}" >&2; DEBIAN_FRONTEND=noninteractive apt_install "${wanted[@]}" || true; }
}
