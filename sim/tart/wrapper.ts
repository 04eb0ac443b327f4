// The executable named `tart`: a shell script, so that a running VM costs a shell and no Node process.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** `node` and `command` are absolute paths: the runtime, and `command.ts` (or its bundle). */
export interface WrapperPaths {
  readonly node: string;
  readonly command: string;
  /** A folder for Node's compile cache: with it a call costs a third. */
  readonly compileCache?: string;
}

/** Writes the executable. */
export function writeTart(path: string, paths: WrapperPaths): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, wrapper(paths));
  chmodSync(path, 0o755);
}

/** The second half of `tart run`: this shell is the VM's process; it sleeps in slices, so that none outlives it for long. */
function wrapper({ node, command, compileCache }: WrapperPaths): string {
  const cache = compileCache === undefined ? '' : `NODE_COMPILE_CACHE='${compileCache}'; export NODE_COMPILE_CACHE\n`;
  const start = `'${node}' --disable-warning=ExperimentalWarning '${command}'`;
  return `#!/bin/sh
# A double of tart: the same words, nothing virtualized.
${cache}[ "$1" = run ] || exec ${start} "$@"
plan=$(TART_SIM_PID=$$ ${start} "$@") || exit $?
eval "$plan"

slice=
left=$lives
end() { [ -z "$slice" ] || kill "$slice" 2>/dev/null; exit "$1"; }
guest_stops() {
  [ -z "$code" ] || [ -z "$status" ] || echo "$code" > "$status/runner-rc"
  if [ -n "$crashes" ]; then echo 'guest has stopped the virtual machine due to error: Error Domain=VZErrorDomain Code=1 "The virtual machine stopped unexpectedly."'
  else echo 'guest has stopped the virtual machine'; fi
  end 0
}
trap 'echo "Stopping VM..."; end 0' INT
trap 'end 143' TERM
trap ': > "$snapshot"; echo "Snapshotting VM..."; end 0' USR1
trap '[ -z "$shutdown" ] || left=$shutdown; echo "Requesting guest OS to stop..."; poked=1; kill "$slice" 2>/dev/null' USR2

[ -z "$resumed" ] || { echo 'restoring VM state from a snapshot...'; echo 'resuming VM...'; }
[ -z "$vnc" ] || echo "VNC server is running at $vnc"
while :; do
  poked=
  if [ -z "$left" ]; then now=5
  elif [ "$left" -le 0 ]; then guest_stops
  elif [ "$left" -lt 5 ]; then now=$left
  else now=5; fi
  before=$left
  sleep "$now" &
  slice=$!
  # A signal that came before this slice had a number ended the one before it.
  [ -z "$poked" ] || kill "$slice" 2>/dev/null
  wait "$slice"
  [ -z "$left" ] || [ "$left" != "$before" ] || left=$((left - now))
done
`;
}
