// The fixed mask: what differs from run to run by nature is replaced by what it is, equal things by equal words.

type Json = unknown;

const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const PEM = /-----BEGIN ([A-Z ]+)-----[\s\S]*?-----END \1-----\n?/g;
const VERSION_IN_WORDS =
  /(resource ?versions?:? |ResourceVersion in (?:the )?(?:precondition|record|object meta):? \(?|current: |the latest version is |resourceVersion(?:\\*")?[=:] ?(?:\\*")?)\d+( \(\d+\))?/gi;
/** Made by the admission of service accounts, one a Pod. */
const ACCESS_VOLUME = /\bkube-api-access-[a-z0-9]{5}\b/g;
/** A cell of a Table that says how long ago. */
const AGE = /^(\d+[smhdy])+$/;
/** Types of a schema have numbers of chance in what is said of expressions. */
const SCHEMA_TYPE = /\bselfType\d+/g;
const CLUSTER_IP = /\b10\.0\.0\.\d{1,3}\b/g;

/** Managers are sorted by the second in which they wrote: two within one second, or not, is chance. */
function inFixedOrder(entries: readonly Json[]): readonly Json[] {
  const key = (entry: Json): string => {
    const { manager, operation, apiVersion, subresource } = entry as Record<string, string>;
    return [operation, manager, apiVersion, subresource].join(' ');
  };
  return entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The real server walks through the managers of a conflict in an order of chance, and through the fields of each in theirs. */
function conflictsInFixedOrder(causes: readonly Json[]): readonly Json[] {
  const told = causes as readonly { readonly reason?: string; readonly message?: string }[];
  if (told.some(({ reason }) => reason !== 'FieldManagerConflict')) return causes;
  return told.toSorted((a, b) => (a.message ?? '').localeCompare(b.message ?? ''));
}

const IN_FIXED_ORDER: Readonly<Record<string, (list: readonly Json[]) => readonly Json[]>> = {
  managedFields: inFixedOrder,
  causes: conflictsInFixedOrder,
};

/** What is written after some refusals: how two structures inside the real server differ, line by line. */
const GO_DIFFERENCE = /\n@@ [\s\S]*$/;

/** What is wrong with an apply is told in an order of chance, too. */
const APPLY_ERRORS = /(?<=^failed to create typed patch object [\s\S]*: errors:\n) {2}[\s\S]*$/;
const sortedLines = (lines: string): string => lines.split('\n').sort().join('\n');

/** One case's mask: it remembers which uid, version or made-up name came first, second, ... */
export class Mask {
  readonly #seen = new Map<string, string>();
  /** What only this run knows, names that a server made among it, and what stands for each. */
  readonly #made = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Replaces what only this run knows: an address of the case's own, a certificate. */
  remember(made: string, word: string): void {
    // An empty one stands everywhere.
    if (made !== '') this.#made.set(made, word);
  }

  /** Text of messages, paths and bodies that are not JSON. */
  text(value: string): string {
    let text = this.#prefix === '' ? value : value.replaceAll(this.#prefix, '');
    for (const [made, word] of this.#made) text = text.replaceAll(made, word);
    return text
      .replace(PEM, (_, what: string) => `<${what.toLowerCase()}>`)
      .replace(TOKEN, '<token>')
      .replace(UID, uid => this.#word('uid', uid))
      .replace(TIME, '<time>')
      .replace(GO_DIFFERENCE, '')
      .replace(APPLY_ERRORS, sortedLines)
      .replace(ACCESS_VOLUME, 'kube-api-access-<made>')
      .replace(SCHEMA_TYPE, 'selfType')
      .replace(CLUSTER_IP, ip => this.#word('ip', ip))
      .replace(
        VERSION_IN_WORDS,
        (_, words: string, more?: string) => `${words}<rv>${more === undefined ? '' : ' (<rv>)'}`,
      );
  }

  /** A body or a part of one. `key` is the field that holds it. */
  json(value: Json, key = ''): Json {
    if (typeof value === 'string') return this.#string(value, key);
    if (typeof value === 'number')
      return key === 'nodePort' || key === 'healthCheckNodePort' ? this.#word('port', String(value)) : value;
    if (Array.isArray(value)) return (IN_FIXED_ORDER[key]?.(value) ?? value).map(each => this.json(each, key));
    if (typeof value !== 'object' || value === null) return value;
    return this.#object(value as Record<string, Json>, key);
  }

  #object(value: Record<string, Json>, key: string): Json {
    if (key === 'metadata') this.#noticeMadeName(value);
    const isList = 'items' in value || 'rows' in value;
    // Long texts of others: the words on a column are a case of their own.
    const told = key === 'columnDefinitions' ? { ...value, description: '' } : value;
    const entries = Object.entries(told).map(([name, each]): [string, Json] => {
      if (name === 'metadata' && isList) return [name, this.#listMeta(each)];
      return [this.text(name), this.json(each, name)];
    });
    return Object.fromEntries(entries);
  }

  #string(value: string, key: string): string {
    if (key === 'resourceVersion' && /^[1-9]\d*$/.test(value)) return this.#word('rv', value);
    if (key === 'continue' && value !== '') return '<continue>';
    if (key === 'cells' && AGE.test(value)) return '<age>';
    return this.text(value);
  }

  /** Others write meanwhile, so a list's version says nothing about its objects'. */
  #listMeta(meta: Json): Json {
    if (typeof meta !== 'object' || meta === null) return meta;
    if (!('resourceVersion' in meta)) return this.json(meta);
    return { ...(this.json({ ...meta, resourceVersion: '' }) as object), resourceVersion: '<list-rv>' };
  }

  #noticeMadeName({ name, generateName }: Record<string, Json>): void {
    if (typeof name !== 'string' || typeof generateName !== 'string' || !name.startsWith(generateName)) return;
    if (this.#made.has(name)) return;
    const count = this.#next('made');
    this.#made.set(name, `${this.text(generateName)}<made-${count}>`);
  }

  #word(what: string, value: string): string {
    const known = this.#seen.get(`${what} ${value}`);
    if (known !== undefined) return known;
    const word = `<${what}-${this.#next(what)}>`;
    this.#seen.set(`${what} ${value}`, word);
    return word;
  }

  #next(what: string): number {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return count;
  }
}
