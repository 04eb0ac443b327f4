// The frame of every script that runs on a Mac: one root for all paths, one table of commands, values quoted.

/** A script by name. Root's scripts go through `sudo -n`, which the first step makes possible. */
export interface HostScript {
  readonly name: string;
  readonly as: 'user' | 'root';
  readonly body: string;
}

/** Every command that a script may call; a simulated Mac knows no other (safe-23). */
export const HOST_COMMANDS = {
  /** macOS's own: a simulated Mac has stand-ins for them. */
  macos: [
    'chown',
    'defaults',
    'id',
    'killall',
    'launchctl',
    'pgrep',
    'pkill',
    'pmset',
    'scutil',
    'softwareupdate',
    'sudo',
    'visudo',
  ],
  /** Harmless as long as every path hangs under the root. */
  files: ['cat', 'chmod', 'cmp', 'cp', 'ln', 'mkdir', 'mv', 'rm', 'sed', 'sleep', 'tail', 'tar', 'touch', 'tr', 'true'],
} as const;

/** `root` is empty on a real Mac: sshd takes no environment from us, so nobody can move it there. */
const FRAME = `set -eu
root="\${PIPPIN_HOST_ROOT-}"
PATH="\${PIPPIN_HOST_PATH-/usr/bin:/bin:/usr/sbin:/sbin}"
export PATH
umask 022
`;

/** The text for the host's shell. `values` become variables of the script; none of them may be secret. */
export function render(script: HostScript, values: Readonly<Record<string, string>> = {}): string {
  const variables = Object.entries(values).map(([name, value]) => `${name}=${quote(value)}\n`);
  const text = `${FRAME}${variables.join('')}${script.body}`;
  return script.as === 'user' ? text : `${FRAME}exec sudo -n /bin/sh -c ${quote(text)}\n`;
}

/** One word for sh, whatever is in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
