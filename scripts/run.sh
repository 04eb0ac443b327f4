#!/bin/sh
# Starts a TypeScript file of this repository from a fresh clone: installs what is missing, then becomes Node.
# It is a shell script because Node 20 cannot replace itself, and a launcher that stays would keep signals to itself.
set -eu
cd "$(dirname "$0")/.."
. bin/find-node.sh
. bin/allocator.sh

npm_node="${npm_node_execpath:-node}"
node=$("$npm_node" scripts/install.mjs)
packaged=$(node_package)
[ -n "$node" ] ||
  node=$(find_node process.features.typescript "$npm_node" node "${packaged:+node_modules/$packaged/bin/node}")
case "$node" in /*) ;; *) node="$PWD/$node" ;; esac

# Children that ask for `node` get the same one.
PATH="$(dirname "$node"):$PATH"
# npm passes INT and TERM on but not HUP: whoever must not outlive it compares this with its own parent. It says whose
# parent that is, because the programs that a bench or a soak starts inherit it and have another.
PIPPIN_PARENT=$$:$PPID
export PATH PIPPIN_PARENT
exec "$node" "$@"
