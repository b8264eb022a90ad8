# Sourced by quickstart and test: finds or installs the packages that scree needs to build. Needs bash.
# setup_packages NAME...   installs missing Debian packages (as root or through sudo)
# setup_build              configures and builds build/release

scree_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scree_optional="libexpat1-dev libhdf5-dev libassimp-dev"
scree_packages="gcc make cmake pkg-config liblua5.4-dev libyaml-dev zlib1g-dev"

setup_packages() {
  local missing="" package
  if ! command -v apt-get >/dev/null 2>&1; then
    setup_other_system && return 0
    echo "This is not a Debian or Ubuntu system. Please install, with your own package manager, what these Debian packages hold:" >&2
    echo "  $*" >&2
    echo "then run this again." >&2
    exit 1
  fi
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
  done
  [ -z "$missing" ] && return 0
  local root=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || { echo "Missing packages:$missing. Install them as root, or install sudo." >&2; exit 1; }
    root=sudo
  fi
  echo "Installing:$missing" >&2
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null 2>&1 && return 0
  $root apt-get update -qq >&2 || true
  local log
  log=$(mktemp) || exit 1
  if ! $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    echo "apt could not install:$missing" >&2
    return 1
  fi
  rm -f "$log"
}

# Systems other than Debian: succeeds if the tools and libraries are there.
setup_other_system() {
  command -v cmake >/dev/null 2>&1 && command -v cc >/dev/null 2>&1 && command -v pkg-config >/dev/null 2>&1 &&
    { pkg-config --exists lua5.4 || pkg-config --exists lua-5.4; } && pkg-config --exists yaml-0.1 zlib
}

setup_build() {
  cd "$scree_root" || exit 1
  # a new build folder uses Ninja, if it is found: it builds in less time than make
  [ -e build/release ] || ! command -v ninja >/dev/null || export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
  cmake --preset release "$@" >build-release.log 2>&1 || { cat build-release.log >&2; rm -f build-release.log; exit 1; }
  rm -f build-release.log
  cmake --build --preset release -j "$(nproc)" >&2 || exit 1
}
