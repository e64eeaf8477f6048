#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds and tests the project on another release of Debian: hosts.sh 12|13|sid [TEST PATTERN]
#
# Makes a root of that release with debootstrap from the mirror that apt uses here, lays the sources
# there with nothing beside them, and runs testing/run.sh in it, which installs what it names and
# nothing else. Warnings are errors. Needs root, some 5 GB a release, and an hour on two cores; a
# second run builds what has changed only. The roots lie in build/hosts, or where TESSERA_HOSTS says.
# In place of a pattern, `-- COMMAND...` runs a command in the root.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

case ${1:-} in
  12) suite=bookworm ;;
  13) suite=trixie ;;
  sid) suite=sid ;;
  *) die "name the host: 12, 13 or sid." ;;
esac
[ "$(id -u)" -eq 0 ] || die "only root can make a root of its own."
root="$(realpath -m "${TESSERA_HOSTS:-build/hosts}")/$1"
shift

# The first archive of Debian among those that apt is configured with.
mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' |
    head -n 1
}

make_root() {
  [ ! -e "$root/etc/tessera-complete" ] || return 0
  need_packages debootstrap
  local from
  from=$(mirror)
  [ -n "$from" ] || die "apt knows no archive of Debian here; run apt-get update."
  rm -rf --one-file-system "$root"
  mkdir -p "$root"
  step 1200 "Making a root of $suite" debootstrap --variant=minbase "$suite" "$root" "$from"
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
  touch "$root/etc/tessera-complete"
}

# What git knows or would take, and nothing that lies about; what an earlier run built stays.
lay_sources() {
  mkdir -p "$root/tessera"
  find "$root/tessera" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf --one-file-system {} +
  git ls-files -z --cached --others --exclude-standard |
    tar --create --null --ignore-failed-read --files-from - | tar --extract -C "$root/tessera"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # A mirror that stands still for a while is as good inside as it is outside.
  apt-config dump | grep '^Acquire::Check-' >"$root/etc/apt/apt.conf.d/outside" || true
}

# inside COMMAND... : runs it in the root, in a process tree and with mounts that end with it.
inside() {
  unshare --mount --pid --fork --kill-child bash -c '
    mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t sysfs sysfs "$0/sys" &&
    mount -t tmpfs tmpfs "$0/tmp" && cd "$0/tessera" || exit
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb \
      TESSERA_JOBS="$TESSERA_JOBS" sh -c "cd /tessera && exec \"\$@\"" sh "$@"' "$root" "$@"
}

make_root
lay_sources
export TESSERA_JOBS=${TESSERA_JOBS:-$(nproc)}
if [ "${1:-}" = -- ]; then
  shift
  inside "$@"
else
  inside bash testing/run.sh release ${1:+-R "$1"}
fi
