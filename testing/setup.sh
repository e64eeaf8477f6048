# SPDX-License-Identifier: BSD-3-Clause
# Sourced by demo.sh and run.sh: messages, and installing what is missing on Debian or Ubuntu.

# The file that the output of step() goes to; empty: the terminal.
log=

say() {
  [ -n "$log" ] || echo
  printf '== %s\n' "$*"
}

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# How many times longer than on an idle machine with a near mirror a step may take: a whole number.
patience=${TESSERA_PATIENCE:-1}
[[ $patience =~ ^[1-9][0-9]*$ ]] || die "TESSERA_PATIENCE takes a whole number from 1, not $patience."

# step SECONDS WHAT COMMAND... : runs it within the time, or ends with a sentence, and with the end of the log
# where there is one.
step() {
  local seconds=$(($1 * patience)) what=$2 status=0 where="the reason is printed above"
  shift 2
  say "$what"
  if [ -n "$log" ]; then
    printf '\n== %s\n' "$what" >>"$log"
    timeout "$seconds" "$@" >>"$log" 2>&1 || status=$?
    [ "$status" -eq 0 ] || tail -n 40 "$log" >&2
    where="these are the last lines of $log"
  else
    timeout "$seconds" "$@" || status=$?
  fi
  case $status in
    0) ;;
    124) die "$what did not end within $seconds seconds; $where." ;;
    *) die "$what failed with status $status; $where." ;;
  esac
}

# What building and running the plugin takes.
packages_plugin=(cmake ninja-build gcc g++ paraview-dev python3-paraview libopenmpi-dev
  xvfb libgl1-mesa-dri)
# What the demo takes beside that.
packages_demo=(fonts-dejavu-core python3-fonttools)
# What the tests take beside that.
packages_tests=(openmpi-bin imagemagick openbox xdotool libp4est-dev)
# What differs between Debian's releases: the GUI is Qt 6 from 13 on, and ParaView 6, after that,
# is built on VTK's own package, which paraview-dev does not name.
case $(. /etc/os-release 2>/dev/null && printf '%s' "${VERSION_CODENAME:-}") in
  bookworm | jammy | noble) packages_plugin+=(qhelpgenerator-qt5) packages_tests+=(libqt5svg5) ;;
  trixie) packages_tests+=(qt6-svg-plugins) ;;
  *) packages_plugin+=(qt6-documentation-tools libvtk9-dev) packages_tests+=(qt6-svg-plugins) ;;
esac

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s\n' "$package"
  done
}

# Installs by name with apt whatever of the given packages is missing; without any it runs nothing.
need_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die "this script installs what it needs with apt, which is not here. Elsewhere, build by hand as README.md says."
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "these packages are missing, and only root can install them: ${missing[*]}"
    root=(sudo)
  fi
  step 300 "Updating apt's lists" "${root[@]}" apt-get -q update
  step 900 "Installing ${missing[*]}" \
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends "${missing[@]}"
}

have_gpu() { nvidia-smi -L >/dev/null 2>&1; }

# How demo.sh and the short form of run.sh configure build/release: alike, so that the second one finds it built.
short_build=(-D TESSERA_WERROR=OFF -D TESSERA_SHARED=OFF -D TESSERA_CUDA="$(have_gpu && echo AUTO || echo OFF)")

# configure PRESET [CMAKE OPTION...]
# All CUDA architectures take a quarter of an hour on two cores. Where there is no GPU to build for,
# the code of the oldest does: it holds PTX that the driver of any later one compiles at start. Code that
# nothing here can run is hardly optimised: cuda/curves/span/count_any.cu alone then takes 13 seconds of
# processor time instead of 240.
configure() {
  local preset=$1
  shift
  have_gpu || set -- -D CMAKE_CUDA_ARCHITECTURES="${TESSERA_CUDA_ARCHITECTURES:-75}" \
    -D CMAKE_CUDA_FLAGS="-Xcicc -O1 -Xptxas -O1" "$@"
  step 300 "Configuring build/$preset" cmake --preset "$preset" -G Ninja "$@"
}

# build PRESET [TARGET]
build() {
  step 2400 "Building build/$1" \
    cmake --build "build/$1" --parallel "${TESSERA_JOBS:-$(nproc)}" --target "${2:-all}"
}
