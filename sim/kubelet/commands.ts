// What commands do in a container of the simulated kubelet: a few that tests need, the same each time.

/** Where a command writes, and how it ends. */
export interface Terminal {
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void;
  exit(code: number): void;
  /** There is no such program. */
  fail(message: string): void;
}

/** A command that runs. */
export interface Running {
  /** `undefined`: standard input has ended. */
  input(bytes: Uint8Array | undefined): void;
  resized(size: { readonly width: number; readonly height: number }): void;
}

export interface Place {
  readonly pod: string;
  readonly hasInput: boolean;
}

type Program = (args: readonly string[], terminal: Terminal, place: Place) => Running;

const text = (value: string): Buffer => Buffer.from(value);

/** Ends at once. */
const briefly =
  (what: (args: readonly string[], terminal: Terminal, place: Place) => void): Program =>
  (args, terminal, place) => {
    what(args, terminal, place);
    return DEAF;
  };

const DEAF: Running = { input: () => undefined, resized: () => undefined };

const PROGRAMS: Readonly<Record<string, Program>> = {
  true: briefly((_, terminal) => terminal.exit(0)),
  false: briefly((_, terminal) => terminal.exit(1)),
  echo: briefly((args, terminal) => {
    terminal.write('stdout', text(`${args.join(' ')}\n`));
    terminal.exit(0);
  }),
  hostname: briefly((_, terminal, { pod }) => {
    terminal.write('stdout', text(`${pod}\n`));
    terminal.exit(0);
  }),
  cat: (_, terminal, { hasInput }) => {
    if (!hasInput) terminal.exit(0);
    return {
      ...DEAF,
      input: bytes => (bytes === undefined ? terminal.exit(0) : terminal.write('stdout', bytes)),
    };
  },
  /** Says how large the terminal is, each time it is told. */
  size: (_, terminal) => ({
    input: bytes => (bytes === undefined ? terminal.exit(0) : undefined),
    resized: ({ width, height }) => terminal.write('stdout', text(`${width}x${height}\n`)),
  }),
  sh: ([flag, script = ''], terminal, place) =>
    flag === '-c' ? shell(script, terminal, place) : start(['cat'], terminal, place),
};

/** Starts what the argument vector names; paths are looked at by their last part. */
export function start([program = '', ...args]: readonly string[], terminal: Terminal, place: Place): Running {
  const known = PROGRAMS[program.replace(/^.*\//, '')];
  if (known !== undefined) return known(args, terminal, place);
  terminal.fail(`exec: ${JSON.stringify(program)}: executable file not found in $PATH`);
  return DEAF;
}

/** `command; command`, each maybe with `>&2`; `exit N` ends it. The last one's code is the script's. */
function shell(script: string, terminal: Terminal, place: Place): Running {
  const waiting = script
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '');
  let current: Running = DEAF;
  const next = (code: number): void => {
    const command = waiting.shift();
    const exit = /^exit (\d+)$/.exec(command ?? '');
    if (command === undefined || exit !== null) terminal.exit(exit === null ? code : Number(exit[1]));
    else current = start(wordsOf(command), inner(command, terminal, next), place);
  };
  next(0);
  return { input: bytes => current.input(bytes), resized: size => current.resized(size) };
}

function inner(command: string, terminal: Terminal, next: (code: number) => void): Terminal {
  const toErrors = command.includes('>&2');
  return {
    write: (stream, bytes) => terminal.write(toErrors ? 'stderr' : stream, bytes),
    exit: next,
    fail: message => {
      terminal.write('stderr', text(`sh: ${message}\n`));
      next(127);
    },
  };
}

const wordsOf = (command: string): string[] => command.replace('>&2', '').trim().split(/\s+/);
