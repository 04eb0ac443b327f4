// Arguments as Go programs read them, for the stand-ins of kube-apiserver and etcd: a flag that nobody knows is named.

import { defineError } from '../../base/errors.ts';

export interface Flag {
  readonly name: string;
  /** `true` and `false`, or alone. */
  readonly isBool?: true;
  readonly help: string;
}

const unknownFlag = defineError('PIPPIN_E_ENVTEST_FLAG', {
  retry: 'never',
  remedy: 'Leave it out; --help lists what this program takes',
  // In the words of the real programs, because users look for these.
  says: (flag: string) => `unknown flag: --${flag}`,
});

const absentFlag = defineError('PIPPIN_E_ENVTEST_FLAG_ABSENT', {
  retry: 'never',
  remedy: 'Leave it out, or test against the real program what depends on it; --help lists what this one takes',
  says: (flag: string) => `--${flag}: what this flag does is not built in`,
});

const strayArgument = defineError('PIPPIN_E_ENVTEST_ARGUMENT', {
  retry: 'never',
  remedy: 'Write flags as --name=value; --help lists them',
  says: (argument: string, trouble: string) => `${trouble}: ${JSON.stringify(argument)}`,
});

/** What was given, by name; the last one counts where a flag holds one value. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** `help` when it is asked for; `absent` are flags that only the real program has. */
export function argumentsOf(
  argv: readonly string[],
  flags: readonly Flag[],
  absent: readonly string[] = [],
): Given | 'help' {
  if (argv.includes('--help') || argv.includes('-h')) return 'help';
  const given = new Map<string, string[]>();
  const left = [...argv];
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const { name, isBool, value } = flagIn(argument, flags, absent);
    const whole = value ?? (isBool ? 'true' : left.shift());
    if (whole === undefined) throw strayArgument(argument, 'A flag needs a value');
    given.set(name, [...(given.get(name) ?? []), whole]);
  }
  return given;
}

interface Written {
  readonly name: string;
  readonly isBool: boolean;
  /** What follows the equals sign. */
  readonly value: string | undefined;
}

function flagIn(argument: string, flags: readonly Flag[], absent: readonly string[]): Written {
  const [, name, value] = /^--?([\w-]+)(?:=([\s\S]*))?$/.exec(argument) ?? [];
  if (name === undefined) throw strayArgument(argument, 'This is no flag');
  const flag = flags.find(each => each.name === name);
  if (flag === undefined) throw absent.includes(name) ? absentFlag(name) : unknownFlag(name);
  return { name, isBool: flag.isBool === true, value };
}

/** Flags start their lines: envtest looks for them there. */
export function helpText(program: string, summary: string, flags: readonly Flag[]): string {
  const width = Math.max(...flags.map(({ name }) => name.length));
  const lines = flags.map(({ name, help }) => `      --${name.padEnd(width)}   ${help}\n`);
  return `${summary}\n\nUsage:\n  ${program} [flags]\n\nFlags:\n${lines.join('')}`;
}
