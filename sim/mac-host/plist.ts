// Reads a launchd job's file, as far as our own jobs go.

/** What the stand-in launchd does with. */
export interface JobFile {
  readonly label: string;
  readonly program: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly runAtLoad: boolean;
  readonly keepAlive: boolean;
  readonly throttleSeconds: number;
  readonly log: string | undefined;
}

type Value = string | boolean | number | readonly Value[] | { readonly [key: string]: Value };

export function readPlist(text: string): JobFile {
  const { Label, ProgramArguments, EnvironmentVariables, RunAtLoad, KeepAlive, ThrottleInterval, StandardOutPath } =
    dictionaryIn(text);
  if (typeof Label !== 'string' || !Array.isArray(ProgramArguments)) throw new Error('the job has no label or program');
  return {
    label: Label,
    program: ProgramArguments.map(String),
    environment: Object.fromEntries(Object.entries(EnvironmentVariables ?? {}).map(([k, v]) => [k, String(v)])),
    runAtLoad: RunAtLoad === true,
    keepAlive: KeepAlive === true,
    throttleSeconds: typeof ThrottleInterval === 'number' ? ThrottleInterval : 10,
    log: typeof StandardOutPath === 'string' ? StandardOutPath : undefined,
  };
}

function dictionaryIn(text: string): Readonly<Record<string, Value>> {
  const body = text.slice(text.indexOf('<dict>'));
  const tokens = [...body.matchAll(/<(\/?)(dict|array|key|string|integer|true|false)(\/?)>([^<]*)/g)];
  const value = new Reader(tokens).value();
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error('not a property list');
  return value as Readonly<Record<string, Value>>;
}

class Reader {
  #at = 0;
  readonly #tokens: readonly RegExpMatchArray[];

  constructor(tokens: readonly RegExpMatchArray[]) {
    this.#tokens = tokens;
  }

  value(): Value {
    const [, , tag = '', , text = ''] = this.#next();
    if (tag === 'dict') return this.#dictionary();
    if (tag === 'array') return this.#list();
    if (tag === 'true' || tag === 'false') return tag === 'true';
    this.#next();
    return tag === 'integer' ? Number(text) : unescaped(text);
  }

  #dictionary(): Value {
    const entries: [string, Value][] = [];
    while (!this.#closes()) {
      const key = this.value();
      entries.push([String(key), this.value()]);
    }
    return Object.fromEntries(entries);
  }

  #list(): Value {
    const values: Value[] = [];
    while (!this.#closes()) values.push(this.value());
    return values;
  }

  /** Steps over a closing tag if there is one. */
  #closes(): boolean {
    if (this.#tokens[this.#at]?.[1] !== '/') return false;
    this.#at += 1;
    return true;
  }

  #next(): RegExpMatchArray {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error('the property list ends too early');
    this.#at += 1;
    return token;
  }
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
