# Sourced by bin/pippin: where compiled code is kept between starts.
#
# Reading and compiling the program is most of a start, and from a clone its types are stripped, too: the next start takes
# half the time. In the user's own cache folder: Node's choice would be one that any user of the machine can prepare for
# this one. Where it cannot be made nothing is kept.
if [ -z "${NODE_COMPILE_CACHE:-}" ] && [ -n "${XDG_CACHE_HOME:-}${HOME:-}" ]; then
  compiled="${XDG_CACHE_HOME:-$HOME/.cache}/pippin/compiled"
  if [ -d "$compiled" ] || (umask 077 && mkdir -p "$compiled") 2>/dev/null; then
    NODE_COMPILE_CACHE=$compiled
    export NODE_COMPILE_CACHE
  fi
fi
