// The tables of upstream's schemas: one row a field, with its type, whether it is required, and its bounds.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a value must fit; names are those of OpenAPI. */
export interface Bounds {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly format?: string;
  readonly default?: string | number | boolean;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  readonly mapType?: string;
  readonly preserveUnknownFields?: boolean;
}

export type FieldType = 'object' | 'array' | 'string' | 'integer' | 'boolean' | 'any';

/** `path` ends its segments with `[]` for the items of a list and `{}` for the values of a map. */
export interface FieldRow {
  readonly path: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly bounds: Bounds;
}

export interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

export interface VersionTable {
  readonly fields: readonly FieldRow[];
  readonly columns: readonly ColumnRow[];
}

export interface KindTable {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** By name: `v1beta1`. */
  readonly versions: ReadonlyMap<string, VersionTable>;
}

const TABLES = join(import.meta.dirname, '../../test/kinds/metal/tables');

/** Every kind of one upstream release: `main`, `1.13.2` or `1.8.1`. */
export function kindTables(release: string): readonly KindTable[] {
  const lines = readFileSync(join(TABLES, `${release}.tsv`), 'utf8').split('\n');
  const rows = lines.filter(line => line !== '').map(line => line.split('\t'));
  return [...Map.groupBy(rows, ([kind = '']) => kind)].map(([kind, all]) => kindTable(kind, all));
}

type Cells = readonly string[];

function kindTable(kind: string, rows: readonly Cells[]): KindTable {
  const names = rows.find(row => row[2] === 'names')?.[5] ?? '';
  const versioned = rows.filter(row => row[1] !== '-');
  const versions = [...Map.groupBy(versioned, row => row[1] ?? '')];
  return {
    kind,
    plural: /plural=(\S+)/.exec(names)?.[1] ?? '',
    shortNames: wordsOf(/short=(\[.*?\])/.exec(names)?.[1] ?? ''),
    categories: wordsOf(/categories=(\[.*?\])/.exec(names)?.[1] ?? ''),
    versions: new Map(versions.map(([version, all]) => [version, versionTable(all)])),
  };
}

const COLUMN = 'column:';

const versionTable = (rows: readonly Cells[]): VersionTable => ({
  fields: rows.filter(([, , path = '']) => !path.startsWith(COLUMN)).map(fieldRow),
  columns: rows
    .filter(([, , path = '']) => path.startsWith(COLUMN))
    .map(([, , path = '', type = '', , jsonPath = '']) => ({ name: path.slice(COLUMN.length), type, jsonPath })),
});

function fieldRow([, , path = '', type = '', required = '', bounds = '']: Cells): FieldRow {
  if (!isFieldType(type)) throw new Error(`${path}: no type is called ${type}`);
  return { path, type, required: required === 'required', bounds: boundsOf(bounds, type) };
}

const TYPES: ReadonlySet<string> = new Set(['object', 'array', 'string', 'integer', 'boolean', 'any']);
const isFieldType = (type: string): type is FieldType => TYPES.has(type);

/** `['a', 'b']` as the tables write lists. */
const wordsOf = (list: string): readonly string[] => [...list.matchAll(/'([^']*)'/g)].map(([, word = '']) => word);

const READERS: Readonly<Record<string, (text: string, type: FieldType) => Bounds>> = {
  minLength: text => ({ minLength: Number(text) }),
  maxLength: text => ({ maxLength: Number(text) }),
  pattern: text => ({ pattern: text }),
  enum: text => ({ enum: wordsOf(text) }),
  minimum: text => ({ minimum: Number(text) }),
  maximum: text => ({ maximum: Number(text) }),
  minItems: text => ({ minItems: Number(text) }),
  maxItems: text => ({ maxItems: Number(text) }),
  minProperties: text => ({ minProperties: Number(text) }),
  format: text => ({ format: text }),
  default: (text, type) => ({ default: scalarOf(text, type) }),
  'list-type': text => ({ listType: text }),
  'list-map-keys': text => ({ listMapKeys: wordsOf(text) }),
  'map-type': text => ({ mapType: text }),
  'preserve-unknown-fields': () => ({ preserveUnknownFields: true }),
};

/** The cell of bounds: `name=value` apart by spaces; a list may hold some itself. */
function boundsOf(text: string, type: FieldType): Bounds {
  const pairs = [...text.matchAll(/(?:^| )([a-zA-Z-]+)=(\['.*?'\](?= |$)|\S+)/g)];
  const parts = pairs.map(([, name = '', value = '']) => {
    const read = READERS[name];
    if (read === undefined) throw new Error(`no bound is called ${name}`);
    return read(value, type);
  });
  return Object.assign({}, ...parts);
}

function scalarOf(text: string, type: FieldType): string | number | boolean {
  if (type === 'boolean') return text === 'True';
  return type === 'integer' ? Number(text) : text;
}
