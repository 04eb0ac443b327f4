// The PATH of a simulated Mac: stand-ins for macOS's commands, and harmless ones that stay below the Mac's root.

import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Asks the Mac over descriptor 3 and tells its answer from descriptor 4: exit code and line counts, then the lines. */
const ASK = `ask() {
  { printf '%s' "$1"; shift; for each do printf '\\037%s' "$each"; done; printf '\\n'; } >&3 || exit 127
  IFS=' ' read -r code out err <&4 || exit 127
  while [ "$out" -gt 0 ]; do IFS= read -r line <&4; printf '%s\\n' "$line"; out=$((out - 1)); done
  while [ "$err" -gt 0 ]; do IFS= read -r line <&4; printf '%s\\n' "$line" >&2; err=$((err - 1)); done
  return "$code"
}
`;

const standIn = (name: string): string => `#!/bin/sh\n${ASK}ask ${name} "$@"\n`;

/** Whether this user may, and with which password, the Mac says; then the command simply runs. */
const SUDO = `#!/bin/sh
${ASK}how=password user=root
while [ $# -gt 0 ]; do
  case "$1" in
    -n) how=none; shift ;;
    -S) how=stdin; shift ;;
    -p) shift 2 ;;
    -u) user=$2; shift 2 ;;
    -k | -H) shift ;;
    *) break ;;
  esac
done
password=
if [ "$how" = stdin ]; then IFS= read -r password; fi
ask sudo "$how" "$user" "$password" || exit 1
exec "$@"
`;

/** A harmless command, unless it is to touch something outside the Mac. */
const guarded = (path: string): string => `#!/bin/sh
for each do
  case "$each" in
    "$PIPPIN_HOST_ROOT"/* | /dev/null) ;;
    /*) echo "$0: $each is outside the Mac" >&2; exit 126 ;;
  esac
done
exec ${path} "$@"
`;

/** The table of the set-up scripts: a simulated Mac has these commands and no other. */
export interface CommandTable {
  /** macOS's own, which are stood in for. */
  readonly macos: readonly string[];
  /** Harmless as long as every path is below the Mac's root. */
  readonly files: readonly string[];
}

/** Writes the commands into `folder`, which becomes the whole PATH. */
export function makeToolbox(folder: string, commands: CommandTable): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const put = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  };
  for (const name of commands.macos) put(name, name === 'sudo' ? SUDO : standIn(name));
  for (const name of [...commands.files, ...BEHIND_TAR]) put(name, guarded(whereIs(name)));
}

/** GNU tar calls it; macOS's does without. */
const BEHIND_TAR = ['gzip'];

function whereIs(name: string): string {
  const path = ['/usr/bin', '/bin'].map(folder => join(folder, name)).find(existsSync);
  if (path === undefined) throw new Error(`this machine has no ${name}`);
  return path;
}
