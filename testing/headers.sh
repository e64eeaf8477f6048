#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Compiles the plugin's sources against the headers of another release's ParaView: headers.sh 13 [BUILD]
#
# A short form of hosts.sh, which builds and tests there: this takes a package of 20 MB and a minute or
# two, and finds what a later VTK no longer has or means otherwise. The compiler's options are those of
# BUILD (build/release), which has to be configured; its ParaView's headers are left out, and warnings
# are errors. Ends with 77 where no archive of Debian can be reached.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh
. testing/roots.sh

suite=$(suite_of "${1:-}")
commands=$(realpath "${2:-build/release}")/compile_commands.json
[ -e "$commands" ] || die "there is no $commands; configure that build first."
folder=$PWD/build/headers/$1

# Takes paraview-dev of that release, of which apt knows nothing here, through lists of their own.
take_headers() {
  local from own
  from=$(mirror)
  [ -n "$from" ] || return 77
  rm -rf "$folder"
  mkdir -p "$folder"/{lists/partial,cache/archives/partial,root}
  echo "deb $from $suite main" >"$folder/sources.list"
  own=(-o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root
    -o Acquire::Languages=none -o APT::Update::Error-Mode=any -q)
  apt-get "${own[@]}" update && (cd "$folder" && apt-get "${own[@]}" download paraview-dev) || return 77
  dpkg-deb --extract "$folder"/paraview-dev_*.deb "$folder/root"
  touch "$folder/complete"
}

# The commands of the plugin's sources, one a line, with those headers and without code.
commands() {
  python3 - "$commands" "$PWD/plugin/" "$1" <<'EOF'
import json, re, sys
commands, sources, headers = sys.argv[1:]
for entry in json.load(open(commands)):
    if entry["file"].startswith(sources):
        one = re.sub(r"-(isystem |I)\S*/(paraview|vtk)-\d\S*", "", entry["command"])
        one = re.sub(r" -o \S+ -c ", f" {headers} -Werror -fsyntax-only ", one)
        print(f"cd '{entry['directory']}' && {one}")
EOF
}

status=0
[ -e "$folder/complete" ] || take_headers || status=$?
[ "$status" -ne 77 ] || { echo "skipped: no archive of $suite can be reached"; exit 77; }
[ "$status" -eq 0 ] || die "the headers of $suite's ParaView could not be taken."
found=("$folder"/root/usr/include/paraview-*)
[ -e "${found[0]}/vtkObject.h" ] || die "paraview-dev of $suite has no VTK headers in ${found[0]}."
headers="-isystem ${found[0]}"
# VTK's third parties, which its own headers include from their folders.
for third in token vtkfmt vtkjsoncpp vtkkissfft vtknlohmannjson vtknlohmannjson/include vtkprotobuf/src; do
  headers+=" -isystem ${found[0]}/$third"
done
commands "$headers" >"$folder/commands"
count=$(wc -l <"$folder/commands")
[ "$count" -gt 0 ] || die "$commands has no source of the plugin."
tr '\n' '\0' <"$folder/commands" |
  xargs -0 -n 1 -P "${TESSERA_JOBS:-$(nproc)}" bash -c || die "the plugin does not compile with ${found[0]##*/}."
echo "$count sources compile with the headers of ${found[0]##*/}"
