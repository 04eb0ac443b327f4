// What the built-in kinds look like on the wire: JSON names, what is left out when empty, protobuf field numbers.

import wire from './tables/wire.generated.json' with { type: 'json' };

/** The type of a field's value. */
export type ValueType =
  | { readonly kind: Scalar }
  | { readonly kind: 'message'; readonly name: string }
  /** `strings`: a list that protobuf wraps in a message of its own. */
  | { readonly kind: 'list' | 'map' | 'strings'; readonly element: ValueType };

export type Scalar = PlainScalar | SchemaOr;
export type PlainScalar =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'bytes'
  | 'time'
  | 'microtime'
  | 'quantity'
  | 'intorstring'
  | 'raw';
/** In a CRD's schema: a schema, or a list of them, or a flag, or a list of names. */
export type SchemaOr = 'schemaorarray' | 'schemaorbool' | 'schemaorstrings';

/** The type of a CRD's schemas. */
export const JSON_SCHEMA = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

export interface Field {
  readonly name: string;
  /** The protobuf field number; 0 for those that the envelope carries (kind, apiVersion). */
  readonly number: number;
  readonly type: ValueType;
  /** Absent and zero are different things. */
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** A message in protobuf whose fields lie directly in the object in JSON. */
  readonly inline: boolean;
  /** Whether Go writes nothing for it when it is absent. */
  readonly isLeftOut: boolean;
}

export interface Shape {
  readonly name: string;
  readonly fields: readonly Field[];
  /** Those that are on the wire, the last first: as they are written. */
  readonly wired: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
  /** By JSON name, those of inline messages included. */
  readonly byName: ReadonlyMap<string, Field>;
}

const kinds: Readonly<Record<string, string>> = wire.kinds;
const types: Readonly<Record<string, Readonly<Record<string, string>>>> = wire.types;
const parsed = new Map<string, Shape>();

/** The type name behind a kind: `io.k8s.api.core.v1.Pod`; undefined when it is no built-in kind. */
export function typeNameOf(apiVersion: string, kind: string): string | undefined {
  const key = `${apiVersion}/${kind}`;
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}

/** The shape of a type; parsed when it is first asked for. */
export function shapeOf(typeName: string): Shape {
  const known = parsed.get(typeName);
  if (known !== undefined) return known;

  const shape = parse(typeName);
  parsed.set(typeName, shape);
  return shape;
}

function parse(typeName: string): Shape {
  const row = types[typeName];
  if (row === undefined) throw new Error(`no table row for ${typeName}`);
  const fields = Object.entries(row).map(([name, text]) => parseField(name, text));
  return {
    name: typeName,
    fields,
    wired: fields.filter(field => field.number > 0).sort((a, b) => b.number - a.number),
    byNumber: new Map(fields.filter(field => field.number > 0).map(field => [field.number, field])),
    byName: new Map(fields.flatMap(namesOf)),
  };
}

function namesOf(field: Field): readonly (readonly [string, Field])[] {
  if (!field.inline) return [[field.name, field]];
  return field.type.kind === 'message' ? [...shapeOf(field.type.name).byName] : [];
}

/** `3 pe string`: number, flags (`-` for none), type. */
function parseField(name: string, text: string): Field {
  const [number = '0', flags = '', typeText = 'string'] = text.split(' ');
  const type = parseType(typeText);
  const [pointer, omitEmpty, omitZero] = [flags.includes('p'), flags.includes('e'), flags.includes('z')];
  const isLeftOut = omitZero || (omitEmpty && (pointer || !STRUCTS.has(type.kind)));
  return { name, number: Number(number), type, pointer, omitEmpty, omitZero, inline: flags.includes('i'), isLeftOut };
}

/** Types that Go's `omitempty` does not see as empty. */
export const STRUCTS: ReadonlySet<string> = new Set(['message', 'time', 'microtime', 'quantity', 'intorstring', 'raw']);

const COMPOSED = { '[]': 'list', '{}': 'map', '<>': 'strings' } as const;

function parseType(text: string): ValueType {
  const prefix = text.slice(0, 2);
  if (prefix === '[]' || prefix === '{}' || prefix === '<>') {
    return { kind: COMPOSED[prefix], element: parseType(text.slice(2)) };
  }
  return text.includes('.') ? { kind: 'message', name: text } : { kind: scalar(text) };
}

const SCALARS: ReadonlySet<string> = new Set<Scalar>([
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'time',
  'microtime',
  'quantity',
  'intorstring',
  'raw',
  'schemaorarray',
  'schemaorbool',
  'schemaorstrings',
]);

const isScalar = (text: string): text is Scalar => SCALARS.has(text);

function scalar(text: string): Scalar {
  if (isScalar(text)) return text;
  throw new Error(`unknown type in the wire table: ${text}`);
}
