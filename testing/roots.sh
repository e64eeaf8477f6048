# SPDX-License-Identifier: BSD-3-Clause
# Sourced after setup.sh: roots of other releases of Debian, made by debootstrap from the mirror that
# apt uses here. Each needs root and some 5 GB in build/hosts, or where TESSERA_HOSTS says.
roots=$(realpath -m "${TESSERA_HOSTS:-build/hosts}")

suite_of() {
  case ${1:-} in
    12) echo bookworm ;;
    13) echo trixie ;;
    sid) echo sid ;;
    *) die "name the host: 12, 13 or sid." ;;
  esac
}

# The first archive of Debian among those that apt is configured with.
mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' |
    head -n 1
}

# make_root HOST FOLDER : a bare root of that release, unless the folder has one.
make_root() {
  local suite from archive=$roots/$1.tar root=$2
  suite=$(suite_of "$1")
  [ ! -e "$root/etc/tessera-complete" ] || return 0
  [ "$(id -u)" -eq 0 ] || die "only root can make a root of its own."
  need_packages debootstrap
  rm -rf --one-file-system "$root"
  mkdir -p "$root"
  if [ ! -e "$archive" ]; then
    from=$(mirror)
    [ -n "$from" ] || die "apt knows no archive of Debian here; run apt-get update."
    step 1200 "Making a root of $suite" debootstrap --variant=minbase "$suite" "$root" "$from"
    tar --create --file "$archive.part" -C "$root" .
    mv "$archive.part" "$archive"
  else
    tar --extract --file "$archive" -C "$root"
  fi
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # A mirror that stands still for a while is as good inside as it is outside.
  apt-config dump | grep '^Acquire::Check-' >"$root/etc/apt/apt.conf.d/outside" || true
  touch "$root/etc/tessera-complete"
}

# lay_sources FOLDER : what git knows or would take, in the root's /tessera, and nothing that lies
# about; what an earlier run built there stays.
lay_sources() {
  mkdir -p "$1/tessera"
  find "$1/tessera" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf --one-file-system {} +
  git ls-files -z --cached --others --exclude-standard |
    tar --create --null --ignore-failed-read --files-from - | tar --extract -C "$1/tessera"
}

# inside FOLDER COMMAND... : runs it in the root's /tessera, in a process tree and with mounts that
# end with it. /dev/shm is its own: Open MPI names files there by numbers of processes, which begin at 1.
inside() {
  local passed="TESSERA_JOBS=${TESSERA_JOBS:-$(nproc)} TESSERA_PATIENCE=$patience"
  passed=$passed unshare --mount --pid --fork --kill-child bash -c '
    mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t sysfs sysfs "$0/sys" &&
    mount -t tmpfs tmpfs "$0/tmp" && mount -t tmpfs tmpfs "$0/dev/shm" && mkdir -p "$0/tessera" || exit
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb \
      $passed sh -c "cd /tessera && exec \"\$@\"" sh "$@"' "$@"
}
